import { businessNumber, date, hospital, person, phone } from '../../drawing/people.ts';
import type { Random } from '../../random.ts';
import type { Split } from '../../truth.ts';
import { type Paper, won } from './paper.ts';

export function laboratory(random: Random, split: Split): Paper {
  const tests: readonly (readonly [string, number, number, string, number])[] = [
    ['WBC', 4, 10, '10^9/L', 2],
    ['RBC', 4.2, 6.3, '10^12/L', 2],
    ['Hemoglobin', 13, 17, 'g/dL', 1],
    ['Hematocrit', 39, 52, '%', 1],
    ['PLT', 130, 400, '10^9/L', 0],
    ['총콜레스테롤', 0, 200, 'mg/dL', 0],
    ['중성지방', 0, 150, 'mg/dL', 0],
    ['공복혈당', 70, 100, 'mg/dL', 0],
    ['AST (GOT)', 0, 40, 'U/L', 0],
    ['ALT (GPT)', 0, 41, 'U/L', 0],
    ['감마지티피', 11, 63, 'U/L', 0],
    ['크레아티닌', 0.7, 1.2, 'mg/dL', 2],
    ['요산', 3.5, 7.2, 'mg/dL', 1],
    ['TSH', 0.27, 4.2, 'uIU/mL', 2],
  ];
  const coded = random.chance(0.3);
  const rows = random
    .shuffled(tests)
    .slice(0, random.int(6, 14))
    .map(([name, low, high, unit, digits], i) => [
      coded ? `D${random.int(1000, 9999)}` : String(i + 1),
      name,
      random.between(low * 0.8, high * 1.25).toFixed(digits),
      `${low.toFixed(digits)}~${high.toFixed(digits)}`,
      unit,
    ]);
  const header = [coded ? '검사코드' : '번호', random.pick(['검사항목', '검사명']), '결과', '참고치', '단위'];
  const two = random.chance(0.3) && rows.length > 7;
  const half = Math.ceil(rows.length / 2);
  const right = new Set([2]);
  return {
    title: random.pick(['진단검사 결과 보고서', '검 사 결 과 지', '혈액검사 보고서', '건강검진 결과통보서']),
    above: [
      `성명 : ${person(random)}   성별 : ${random.pick(['남', '여'])}   채취일 : ${date(random)}`,
      `의뢰기관 : ${hospital(random, split)}`,
    ],
    tables: two
      ? [
          { header, rows: rows.slice(0, half), right },
          { header, rows: rows.slice(half), right },
        ]
      : [{ header, rows, right }],
    below: [`보고일시 : ${date(random)} ${random.int(9, 17)}:${random.int(10, 59)}   판독의 ${person(random)}`],
    documentType: 'other',
    width: two ? 60 : random.between(40, 52),
    beside: two,
  };
}

export function insuranceClaim(random: Random, split: Split): Paper {
  const rows: string[][] = [
    ['피보험자', person(random), '생년월일', `${random.int(50, 99)}.${random.int(1, 12)}.${random.int(1, 28)}`],
    ['계약번호', String(random.int(10_000_000, 99_999_999)), '연락처', phone(random)],
    ['사고일시', date(random), '사고장소', random.pick(['자택', '직장', '도로'])],
    [
      '진단명',
      random.pick(['급성 기관지염', '요추 염좌', '위염']),
      '질병코드',
      `${random.pick(['J', 'M', 'K'])}${random.int(10, 99)}.${random.int(0, 9)}`,
    ],
    ['병원명', hospital(random, split), '치료기간', `${random.int(1, 30)}일`],
    [
      '은행명',
      random.pick(['한빛은행', '누리은행']),
      '계좌번호',
      `${random.int(100, 999)}-${random.int(10, 99)}-${random.int(100_000, 999_999)}`,
    ],
    ['청구금액', `${(random.int(10, 900) * 1000).toLocaleString('en-US')} 원`, '타보험', random.pick(['있음', '없음'])],
  ];
  return {
    title: random.pick(['보험금 청구서', '실손의료비 보험금 청구서', '보 험 금 청 구 서']),
    above: ['※ 굵은 선 안을 빠짐없이 적어 주시기 바랍니다.'],
    tables: [{ header: null, rows, right: new Set() }],
    below: [
      '□ 통원   □ 입원   □ 수술   □ 처방조제',
      '본인은 위와 같이 보험금을 청구합니다.',
      `${date(random)}      청구인  ${person(random)}  (서명)`,
    ],
    documentType: 'other',
    width: random.between(42, 52),
  };
}

/** The bill by the form of law: fees by their kind, insured and not, medicines as one kind among others. */
export function hospitalBill(random: Random, split: Split): Paper {
  const fee = (share: number) => (random.chance(share) ? won(random.int(3, 900) * 100) : '');
  const kinds = [
    '진찰료',
    '입원료',
    '식대',
    '투약 및 조제료-행위료',
    '투약 및 조제료-약품비',
    '주사료-행위료',
    '주사료-약품비',
    '마취료',
    '처치 및 수술료',
    '검사료',
    '영상진단료',
    '물리치료료',
    '치료재료대',
  ];
  const rows = kinds
    .slice(0, random.int(7, kinds.length))
    .map((kind) => [kind, fee(0.6), fee(0.6), fee(0.1), fee(0.35)]);
  return {
    title: random.pick(['진료비 계산서·영수증', '[ ]외래 [ ]입원  진료비 계산서·영수증', '진료비 세부산정내역']),
    above: [
      `환자등록번호 : ${random.int(100_000, 99_999_999)}   환자성명 : ${person(random)}`,
      `진료기간 : ${date(random)}   진료과목 : ${random.pick(['내과', '정형외과'])}`,
    ],
    tables: [
      { header: ['항목', '본인부담금', '공단부담금', '전액본인부담', '비급여'], rows, right: new Set([1, 2, 3, 4]) },
      {
        header: null,
        rows: [
          ['진료비 총액', fee(1)],
          ['환자부담 총액', fee(1)],
          ['납부한 금액', fee(1)],
        ],
        right: new Set([1]),
      },
    ],
    below: [`요양기관 : ${hospital(random, split)}   사업자등록번호 ${businessNumber(random)}`],
    documentType: 'receipt',
    width: random.between(46, 56),
  };
}

/** The form of law before anything is printed into it: all of its words and none of a drug. */
export function blankPrescription(random: Random, split: Split): Paper {
  const empty = (columns: number, rows: number) =>
    Array.from({ length: rows }, () => Array.from({ length: columns }, () => ''));
  const filled = random.chance(0.5);
  return {
    title: '처   방   전',
    above: [
      '1 의료보험   2 의료급여   3 산재보험   4 자동차보험   5 기타 (      )',
      `교부번호 : ${filled ? `${date(random)} 제 ${random.int(1000, 99_999)} 호` : '      년    월    일   제        호'}`,
      `환자 성명 : ${filled ? person(random) : ''}      의료기관 명칭 : ${hospital(random, split)}   전화번호 ${phone(random)}`,
      `질병분류기호 : ${filled ? `J ${random.int(10, 99)} ${random.int(0, 9)}` : ''}`,
      '※ 환자의 요구가 있을 때에는 질병분류기호를 적지 아니합니다.',
    ],
    tables: [
      {
        header: ['처방의약품의 명칭 및 코드', '1회 투약량', '1일 투여횟수', '총 투약일수', '용 법'],
        rows: empty(5, random.int(6, 13)),
        right: new Set(),
      },
      {
        header: ['주사제 처방내역 (원내조제 □, 원외처방 □)', '조제 시 참고사항'],
        rows: empty(2, random.int(2, 4)),
        right: new Set(),
      },
    ],
    below: [`사용기간 : 교부일로부터 ( ${random.int(3, 7)} ) 일간`, '의약품 조제내역', '조제기관의 명칭 :'],
    documentType: 'other',
    width: random.between(46, 56),
  };
}

export function medicalCertificate(random: Random, split: Split): Paper {
  const rows = [
    ['환자성명', person(random), '주민등록번호', `${random.int(500_101, 991_231)}-${random.int(1, 4)}******`],
    [
      '병명',
      random.pick(['급성 인두염', '발목 염좌', '대상포진', '위염']),
      '질병분류번호',
      `S${random.int(10, 99)}.${random.int(0, 9)}`,
    ],
    ['발병일', date(random), '진단일', date(random)],
    [
      '치료내용',
      `상기 병명으로 ${random.int(1, 8)}주간의 안정가료를 요함`,
      '용도',
      random.pick(['보험회사 제출용', '직장 제출용', '학교 제출용']),
    ],
    ['입원일', date(random), '퇴원일', date(random)],
  ];
  return {
    title: random.pick(['진 단 서', '소 견 서', '입 퇴 원 확 인 서', '통 원 확 인 서']),
    above: [`연번호 : ${random.int(100, 99_999)}   등록번호 : ${random.int(100_000, 9_999_999)}`],
    tables: [{ header: null, rows, right: new Set() }],
    below: [
      '위와 같이 진단합니다.',
      date(random),
      `의료기관 : ${hospital(random, split)}   면허번호 제 ${random.int(10_000, 99_999)} 호`,
      `의사 성명 : ${person(random)}  (서명 또는 인)`,
    ],
    documentType: 'other',
    width: random.between(44, 54),
  };
}

export function vaccinations(random: Random, split: Split): Paper {
  const rows = random
    .shuffled([
      'BCG(피내)',
      'B형간염',
      'DTaP',
      '폴리오',
      'b형헤모필루스',
      '폐렴구균',
      'MMR',
      '수두',
      '일본뇌염',
      '인플루엔자',
      'A형간염',
    ])
    .slice(0, random.int(5, 11))
    .map((vaccine) => [
      vaccine,
      `${random.int(1, 5)}차`,
      date(random),
      `${random.pick(['AB', 'K', 'VX'])}${random.int(1000, 99_999)}`,
      hospital(random, split),
    ]);
  return {
    title: random.pick(['예방접종 증명서', '예방접종 내역', '아기수첩 예방접종 기록']),
    above: [`성명 : ${person(random)}   생년월일 : ${date(random)}`],
    tables: [{ header: ['예방접종', '차수', '접종일자', '로트번호', '접종기관'], rows, right: new Set() }],
    below: [`발급일 : ${date(random)}`, `${random.pick(['한솔', '새봄', '중앙'])}보건소장`],
    documentType: 'other',
    width: random.between(48, 58),
  };
}

/** A hospital's order of materials, not drugs: codes of a letter and digits, and amounts that add up. */
export function materialsOrder(random: Random, split: Split): Paper {
  const rows = random
    .shuffled([
      '멸균거즈 10cm',
      '일회용 주사기 5cc',
      '수술용 장갑 M',
      '탄력붕대 4인치',
      '반창고 2인치',
      '카테터 18G',
      '봉합사 3-0',
      '석고붕대 6인치',
      '소독솜',
      '혈당 측정지',
    ])
    .slice(0, random.int(4, 10))
    .map((good) => {
      const count = random.int(1, 90);
      const price = random.int(12, 4000) * 10;
      return [
        `${random.pick(['J', 'K', 'M', 'N'])}${random.int(1_000_000, 9_999_999)}`,
        good,
        random.pick(['EA', 'BOX', '개', '롤']),
        String(count),
        won(price),
        won(count * price),
      ];
    });
  return {
    title: random.pick(['치료재료 구입내역', '진료재료 발주서', '의료소모품 청구내역']),
    above: [`요양기관 : ${hospital(random, split)}`, `작성일 : ${date(random)}   담당 ${person(random)}`],
    tables: [{ header: ['재료코드', '품명 및 규격', '단위', '수량', '단가', '금액'], rows, right: new Set([3, 4, 5]) }],
    below: [`총 ${rows.length}품목`],
    documentType: 'other',
    width: random.between(48, 58),
  };
}
