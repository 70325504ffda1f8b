import { Drawing, type TextStyle } from '../drawing/drawing.ts';
import type { PageImage } from '../drawing/page-image.ts';
import { businessNumber, date, hospital, person, phone } from '../drawing/people.ts';
import type { Font } from '../fonts.ts';
import type { Random } from '../random.ts';
import type { DocumentType, Split } from '../truth.ts';
import { VOCABULARIES } from '../vocabulary.ts';
import { drawRegistration } from './papers.ts';
import { anyRuling, drawPlainTable, type PlainTable } from './plain-table.ts';
import { drawCardSlip } from './receipts.ts';

/** What a paper says above, in and below its table. */
interface Paper {
  readonly title: string;
  readonly above: readonly string[];
  readonly tables: readonly PlainTable[];
  readonly below: readonly string[];
  readonly documentType: DocumentType;
  /** In em. */
  readonly width: number;
  /** Ground of a label, which has a frame around it. */
  readonly label?: string;
  readonly ink?: string;
  /** Two tables stand side by side. */
  readonly beside?: boolean;
}

type Writer = (random: Random, split: Split) => Paper;

const KINDS: readonly (readonly [kind: string, writer: Writer | null])[] = [
  ['nutrition', nutrition],
  ['laboratory', laboratory],
  ['bank', bank],
  ['companies', companies],
  ['book', book],
  ['insurance-claim', insuranceClaim],
  ['shop-receipt', shopReceipt],
  ['restaurant-receipt', restaurantReceipt],
  ['hospital-bill', hospitalBill],
  ['registration', null],
  ['goods-statement', goodsStatement],
  ['card-slip', null],
];

const GROUNDS = ['#ffffff', '#ffffff', '#fdfdfa', '#f6f1e4', '#eef4fb', '#fdf0f0', '#eef8ee'] as const;

/** Papers with tables and numbers that hold no drugs; the kinds take turns. */
export async function drawNegative(
  random: Random,
  index: number,
  fonts: readonly Font[],
  split: Split,
  size: number,
): Promise<PageImage> {
  const font = random.pick(fonts);
  const [kind, writer] = KINDS[index % KINDS.length]!;
  if (kind === 'registration') return drawRegistration(random, font, split);
  if (writer === null) return drawCardSlip(random, font, split);
  const paper = writer(random, split);
  const drawing = new Drawing();
  const text: TextStyle = { font, size, color: paper.ink ?? random.pick(['#000', '#111', '#333']) };
  const width = Math.round(size * paper.width);
  const margin = size * random.between(1, 3);
  let y = size * random.between(2, 3.5);
  drawing.text(paper.title, width / 2, y, {
    ...text,
    size: size * random.between(1.3, 1.9),
    bold: random.chance(0.7),
    align: 'center',
  });
  y += size * 2.4;
  for (const line of paper.above) {
    drawing.text(line, margin, y, text);
    y += size * 1.6;
  }
  const ruling = anyRuling(random);
  const share = paper.beside ? paper.tables.length : 1;
  let bottom = y;
  paper.tables.forEach((table, i) => {
    const own = (width - 2 * margin) / share - (share > 1 ? size * 0.4 : 0);
    const x = margin + (share > 1 ? i * (own + size * 0.8) : 0);
    bottom = Math.max(bottom, drawPlainTable(random, drawing, table, { x, y, width: own }, text, ruling));
    if (share === 1) y = bottom + size * 1.2;
  });
  y = bottom + size * 1.4;
  for (const line of paper.below) {
    drawing.text(line, margin, y, text);
    y += size * 1.6;
  }
  if (paper.label !== undefined)
    drawing.rect(
      { x: size * 0.4, y: size * 0.4, width: width - size * 0.8, height: y },
      'none',
      paper.ink ?? '#333',
      3,
    );
  const raster = await drawing.render(width, Math.round(y + size * 2), paper.label ?? random.pick(GROUNDS));
  return { raster, documentType: paper.documentType, table: null, made: { kind, font: font.family, ruling } };
}

function nutrition(random: Random): Paper {
  const english = random.chance(0.4);
  const facts: readonly (readonly [string, string, number, string])[] = [
    ['열량', 'ENERGY', 2000, english ? 'kJ' : 'kcal'],
    ['나트륨', 'SODIUM', 900, 'mg'],
    ['탄수화물', 'CARBOHYDRATE', 70, 'g'],
    ['당류', '- SUGARS', 30, 'g'],
    ['지방', 'FAT, TOTAL', 30, 'g'],
    ['트랜스지방', '- TRANS', 2, 'g'],
    ['포화지방', '- SATURATED', 12, 'g'],
    ['콜레스테롤', 'CHOLESTEROL', 60, 'mg'],
    ['단백질', 'PROTEIN', 20, 'g'],
    ['칼슘', 'CALCIUM', 300, 'mg'],
  ];
  const rows = facts.slice(0, random.int(6, 10)).map(([korean, latin, most, unit]) => {
    const amount = Math.max(0.1, random.between(0, most));
    const digits = most > 100 ? 0 : 1;
    return [
      english ? latin : korean,
      `${amount.toFixed(digits)} ${unit}`,
      `${random.int(0, 45)} %`,
      ...(random.chance(0.5) || english ? [`${(amount * 3.3).toFixed(digits)} ${unit}`] : ['']),
    ];
  });
  return {
    title: english ? 'NUTRITION INFORMATION' : '영 양 정 보',
    above: english
      ? ['SERVINGS PER PACKAGE: 9', `SERVING SIZE: ${random.int(15, 60)}g`]
      : [`총 내용량 ${random.int(50, 500)}g   1회 제공량당 ${random.int(90, 400)} kcal`],
    tables: [
      {
        header: english
          ? ['', 'QUANTITY PER SERVING', '%DAILY INTAKE*', 'QUANTITY PER 100g']
          : ['영양성분', '1회 제공량', '1일 영양성분 기준치', '100g당'],
        rows,
        right: new Set([1, 2, 3]),
      },
    ],
    below: [
      english
        ? '*BASED ON AN AVERAGE ADULT DIET OF 8700 kJ.'
        : '1일 영양성분 기준치에 대한 비율(%)은 2,000 kcal 기준입니다.',
    ],
    documentType: 'other',
    width: random.between(28, 40),
    ...random.pick([
      { label: '#ffffff', ink: '#111' },
      { label: '#fffbe8', ink: '#b3001b' },
      { label: '#f0f6ff', ink: '#16325c' },
      { label: '#b3001b', ink: '#ffffff' },
      { label: '#1d4d2b', ink: '#f4f4e0' },
      { label: '#e9c46a', ink: '#222222' },
    ]),
  };
}

function laboratory(random: Random, split: Split): Paper {
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

function bank(random: Random): Paper {
  let balance = random.int(10_000, 9_000_000);
  const rows = Array.from({ length: random.int(6, 22) }, () => {
    const amount = random.int(10, 90_000) * 10;
    const paid = random.chance(0.6) && amount < balance;
    balance += paid ? -amount : amount;
    const won = amount.toLocaleString('en-US');
    return [
      `2026.${random.pick(['09', '10', '11'])}.${random.int(10, 28)}`,
      random.pick(['체크카드', '타행이체', '급여', '자동이체', 'ATM', '이자']),
      random.pick([person(random), '국민건강보험', '전기요금', '통신요금']),
      paid ? won : '',
      paid ? '' : won,
      balance.toLocaleString('en-US'),
    ];
  });
  return {
    title: random.pick(['거래내역 조회', '예금거래내역서', '입출금 거래명세']),
    above: [
      `계좌번호 : ${random.int(100, 999)}-${random.int(100_000, 999_999)}-${random.int(10, 99)}-${random.int(100, 999)}   예금주 : ${person(random)}`,
    ],
    tables: [
      { header: ['거래일자', '구분', '적요', '출금액(원)', '입금액(원)', '잔액(원)'], rows, right: new Set([3, 4, 5]) },
    ],
    below: [`총 ${rows.length}건`],
    documentType: 'other',
    width: random.between(50, 62),
  };
}

function companies(random: Random, split: Split): Paper {
  const rows = Array.from({ length: random.int(6, 18) }, (_, i) => [
    String(i + 1),
    random.pick(VOCABULARIES[split].makerStems) + random.pick(['상사', '산업(주)', '건설', '테크', '물산', '전자(주)']),
    businessNumber(random).replaceAll('-', random.chance(0.5) ? '' : '-'),
    person(random),
    phone(random),
    random.int(3, 900).toString(),
    (random.int(100, 90_000) * 10).toLocaleString('en-US'),
  ]);
  return {
    title: random.pick(['거래처 현황', '협력업체 목록', '업체별 매출 현황']),
    above: [`기준일 : ${date(random)}`],
    tables: [
      {
        header: ['번호', '업체명', '사업자번호', '대표자', '전화번호', '건수', '금액(천원)'],
        rows,
        right: new Set([5, 6]),
      },
    ],
    below: [],
    documentType: 'other',
    width: random.between(54, 66),
  };
}

function book(random: Random): Paper {
  const english = random.chance(0.4);
  const sentences = english
    ? [
        'The table below lists the mean values of each group.',
        'All measurements were taken in the morning, before the first meal.',
        'Differences between the groups are discussed in chapter 4.',
        'Scanning is the strategy used to look up a specific detail.',
      ]
    : [
        '다음 표는 조사 대상 지역의 연도별 변화를 나타낸 것이다.',
        '표본의 크기가 작아 해석에 주의가 필요하다.',
        '각 항목의 정의는 부록에 실려 있다.',
        '이러한 경향은 다음 장에서 자세히 살펴본다.',
      ];
  const columns = random.int(3, 5);
  const header = [english ? 'Group' : '구분', ...Array.from({ length: columns }, (_, i) => String(2019 + i))];
  const rows = random
    .shuffled(
      english
        ? ['North', 'South', 'East', 'West', 'Total', 'Control']
        : ['서울', '부산', '대구', '인천', '광주', '대전', '울산', '합계'],
    )
    .slice(0, random.int(4, 6))
    .map((name) => [
      name,
      ...Array.from({ length: columns }, () =>
        random.chance(0.5) ? String(random.int(100, 9999)) : random.between(0, 100).toFixed(1),
      ),
    ]);
  return {
    title: english ? `Table ${random.int(1, 9)}-${random.int(1, 9)}` : `제 ${random.int(1, 12)} 장   자료의 정리`,
    above: random.shuffled(sentences).slice(0, random.int(2, 4)),
    tables: [{ header, rows, right: new Set(Array.from({ length: columns }, (_, i) => i + 1)) }],
    below: [...random.shuffled(sentences).slice(0, random.int(1, 4)), `- ${random.int(12, 380)} -`],
    documentType: 'other',
    width: random.between(36, 48),
  };
}

function insuranceClaim(random: Random, split: Split): Paper {
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

const FOODS = [
  '우유 1L',
  '식빵',
  '계란 30구',
  '두부',
  '라면 5입',
  '사과 1봉',
  '생수 2L',
  '초코쿠키',
  '화장지',
  '주방세제',
  '바나나',
  '요구르트',
  '커피 원두',
  '참치캔',
];
const DISHES = [
  '김치찌개',
  '된장찌개',
  '비빔밥',
  '냉면',
  '불고기정식',
  '돈까스',
  '제육볶음',
  '공기밥',
  '콜라',
  '소주',
  '파전',
  '칼국수',
];

function shopReceipt(random: Random, split: Split): Paper {
  const coded = random.chance(0.5);
  let total = 0;
  const rows = random
    .shuffled(FOODS)
    .slice(0, random.int(3, 12))
    .map((good) => {
      const count = random.int(1, 5);
      const price = random.int(8, 250) * 100;
      total += count * price;
      const name = coded ? `${barcode(random)} ${good}` : good;
      return [name, price.toLocaleString('en-US'), String(count), (price * count).toLocaleString('en-US')];
    });
  return {
    title: random.pick(['영 수 증', '[영수증]', '매출전표']),
    above: [
      `${random.pick(VOCABULARIES[split].makerStems)}마트   ${businessNumber(random)}`,
      `대표 ${person(random)}   TEL ${phone(random)}`,
      `[구매] ${date(random)} ${random.int(9, 21)}:${random.int(10, 59)}   POS:${random.int(1000, 9999)}`,
    ],
    tables: [{ header: ['상품명', '단가', '수량', '금액'], rows, right: new Set([1, 2, 3]) }],
    below: [
      `합 계 금 액        ${total.toLocaleString('en-US')}`,
      `(부가세 포함)   카드결제 ${total.toLocaleString('en-US')}`,
      '교환/환불은 7일 이내 영수증 지참',
    ],
    documentType: 'receipt',
    width: coded ? random.between(34, 42) : random.between(24, 32),
  };
}

function restaurantReceipt(random: Random, split: Split): Paper {
  let total = 0;
  const rows = random
    .shuffled(DISHES)
    .slice(0, random.int(2, 7))
    .map((dish) => {
      const count = random.int(1, 4);
      const price = random.int(2, 30) * 1000;
      total += price * count;
      return [dish, String(count), (price * count).toLocaleString('en-US')];
    });
  return {
    title: `${random.pick(VOCABULARIES[split].makerStems)}${random.pick(['식당', '회관', '분식'])}`,
    above: [`사업자 ${businessNumber(random)}`, `${date(random)}   테이블 ${random.int(1, 30)}`],
    tables: [{ header: ['메뉴', '수량', '금액'], rows, right: new Set([1, 2]) }],
    below: [`합계   ${total.toLocaleString('en-US')} 원`, '감사합니다. 또 오십시오.'],
    documentType: 'receipt',
    width: random.between(22, 30),
  };
}

/** The bill by the form of law: fees by their kind, insured and not, medicines as one kind among others. */
function hospitalBill(random: Random, split: Split): Paper {
  const won = (share: number) => (random.chance(share) ? (random.int(3, 900) * 100).toLocaleString('en-US') : '');
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
    .map((kind) => [kind, won(0.6), won(0.6), won(0.1), won(0.35)]);
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
          ['진료비 총액', won(1)],
          ['환자부담 총액', won(1)],
          ['납부한 금액', won(1)],
        ],
        right: new Set([1]),
      },
    ],
    below: [`요양기관 : ${hospital(random, split)}   사업자등록번호 ${businessNumber(random)}`],
    documentType: 'receipt',
    width: random.between(46, 56),
  };
}

function goodsStatement(random: Random, split: Split): Paper {
  const goods = [
    '복사용지 A4',
    '토너 카트리지',
    '볼펜 흑색',
    '일회용 장갑',
    '라벨 프린터',
    '파일 홀더',
    '키보드',
    '모니터 24인치',
    '책상용 스탠드',
    '종이컵',
    '건전지 AA',
    '멀티탭 5구',
  ];
  let total = 0;
  const rows = random
    .shuffled(goods)
    .slice(0, random.int(4, 11))
    .map((good, i) => {
      const count = random.int(1, 60);
      const price = random.int(5, 900) * 100;
      total += price * count;
      return [
        String(i + 1),
        `${random.pick(['ST', 'OF', 'KR', 'PD'])}-${random.int(1000, 99_999)}`,
        good,
        random.pick(['EA', 'BOX', '개']),
        String(count),
        price.toLocaleString('en-US'),
        (price * count).toLocaleString('en-US'),
      ];
    });
  return {
    title: random.pick(['거 래 명 세 표', '견 적 서', '발 주 서']),
    above: [
      `공급자 : ${random.pick(VOCABULARIES[split].makerStems)}상사  ${businessNumber(random)}`,
      `일자 : ${date(random)}`,
    ],
    tables: [{ header: ['No', '품번', '품목', '단위', '수량', '단가', '금액'], rows, right: new Set([4, 5, 6]) }],
    below: [`합계금액 : ${total.toLocaleString('en-US')} 원 (부가세 별도)`],
    documentType: 'other',
    width: random.between(50, 60),
  };
}

/** 880, a maker of groceries, its good, the check digit. */
function barcode(random: Random): string {
  const digits = `8801${random.int(100, 999)}${String(random.int(0, 99_999)).padStart(5, '0')}`;
  const sum = [...digits].reverse().reduce((all, digit, i) => all + Number(digit) * (i % 2 === 0 ? 3 : 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
