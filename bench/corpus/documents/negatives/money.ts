import { businessNumber, date, person, phone } from '../../drawing/people.ts';
import type { Random } from '../../random.ts';
import type { Split } from '../../truth.ts';
import { VOCABULARIES } from '../../vocabulary.ts';
import { type Paper, won } from './paper.ts';

export function bank(random: Random): Paper {
  let balance = random.int(10_000, 9_000_000);
  const rows = Array.from({ length: random.int(6, 22) }, () => {
    const amount = random.int(10, 90_000) * 10;
    const paid = random.chance(0.6) && amount < balance;
    balance += paid ? -amount : amount;
    return [
      `2026.${random.pick(['09', '10', '11'])}.${random.int(10, 28)}`,
      random.pick(['체크카드', '타행이체', '급여', '자동이체', 'ATM', '이자']),
      random.pick([person(random), '국민건강보험', '전기요금', '통신요금']),
      paid ? won(amount) : '',
      paid ? '' : won(amount),
      won(balance),
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

export function companies(random: Random, split: Split): Paper {
  const rows = Array.from({ length: random.int(6, 18) }, (_, i) => [
    String(i + 1),
    random.pick(VOCABULARIES[split].makerStems) + random.pick(['상사', '산업(주)', '건설', '테크', '물산', '전자(주)']),
    businessNumber(random).replaceAll('-', random.chance(0.5) ? '' : '-'),
    person(random),
    phone(random),
    random.int(3, 900).toString(),
    won(random.int(100, 90_000) * 10),
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

export function taxInvoice(random: Random, split: Split): Paper {
  const rows = random
    .shuffled([
      '사무용 의자',
      '서버 유지보수',
      '인쇄물 제작',
      '컨설팅 용역',
      '임대료',
      '광고비',
      '복합기 렌탈',
      '청소 용역',
    ])
    .slice(0, random.int(1, 6))
    .map((item) => {
      const count = random.int(1, 12);
      const price = random.int(10, 900) * 1000;
      return [
        `11/${random.int(10, 30)}`,
        item,
        String(count),
        won(price),
        won(price * count),
        won(Math.floor((price * count) / 10)),
      ];
    });
  return {
    title: random.pick(['전 자 세 금 계 산 서', '세 금 계 산 서', '계 산 서']),
    above: [
      `공급자 등록번호 ${businessNumber(random)}   상호 ${random.pick(VOCABULARIES[split].makerStems)}상사   성명 ${person(random)}`,
      `공급받는자 등록번호 ${businessNumber(random)}   상호 ${random.pick(VOCABULARIES[split].makerStems)}물산   성명 ${person(random)}`,
      `작성일자 ${date(random)}   승인번호 ${random.int(10_000_000, 99_999_999)}`,
    ],
    tables: [{ header: ['월일', '품목', '수량', '단가', '공급가액', '세액'], rows, right: new Set([2, 3, 4, 5]) }],
    below: ['이 금액을 ( 영수, 청구 ) 함'],
    documentType: 'receipt',
    width: random.between(50, 62),
  };
}

export function utilityBill(random: Random): Paper {
  const rows = [
    '기본요금',
    '전력량요금',
    '기후환경요금',
    '연료비조정액',
    '부가가치세',
    '전력기금',
    'TV수신료',
    '미납요금',
  ]
    .slice(0, random.int(5, 8))
    .map((item) => [item, `${random.int(0, 400)}`, won(random.int(0, 9000) * 10)]);
  return {
    title: random.pick(['전기요금 청구서', '도시가스 요금 고지서', '상하수도 요금 고지서', '관리비 납입 고지서']),
    above: [
      `고객번호 : ${random.int(10_000_000, 99_999_999)}0   청구년월 : 2026년 ${random.int(9, 11)}월`,
      `납기일 : ${date(random)}`,
    ],
    tables: [{ header: ['청구항목', '사용량', '금액(원)'], rows, right: new Set([1, 2]) }],
    below: [`청구금액   ${won(random.int(1000, 20_000) * 10)} 원`, `문의 ${phone(random)}`],
    documentType: 'other',
    width: random.between(34, 46),
  };
}

export function payroll(random: Random): Paper {
  const paid = ['기본급', '연장수당', '식대', '직책수당', '상여금', '교통비'];
  const kept = ['국민연금', '건강보험', '고용보험', '소득세', '지방소득세', '장기요양보험'];
  const rows = paid
    .slice(0, random.int(4, 6))
    .map((item, i) => [item, won(random.int(5, 300) * 10_000), kept[i]!, won(random.int(100, 30_000) * 10)]);
  return {
    title: random.pick(['급 여 명 세 서', '2026년 10월 급여명세서', '임금 명세서']),
    above: [`사번 : ${random.int(100_000, 999_999)}   성명 : ${person(random)}   지급일 : ${date(random)}`],
    tables: [{ header: ['지급항목', '지급액', '공제항목', '공제액'], rows, right: new Set([1, 3]) }],
    below: [`차인지급액   ${won(random.int(150, 600) * 10_000)}`, '귀하의 노고에 감사드립니다.'],
    documentType: 'other',
    width: random.between(40, 52),
  };
}
