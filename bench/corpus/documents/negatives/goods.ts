import { businessNumber, date } from '../../drawing/people.ts';
import type { Random } from '../../random.ts';
import type { Split } from '../../truth.ts';
import { VOCABULARIES } from '../../vocabulary.ts';
import { type Paper, won } from './paper.ts';

export function goodsStatement(random: Random, split: Split): Paper {
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
        won(price),
        won(price * count),
      ];
    });
  return {
    title: random.pick(['거 래 명 세 표', '견 적 서', '발 주 서']),
    above: [
      `공급자 : ${random.pick(VOCABULARIES[split].makerStems)}상사  ${businessNumber(random)}`,
      `일자 : ${date(random)}`,
    ],
    tables: [{ header: ['No', '품번', '품목', '단위', '수량', '단가', '금액'], rows, right: new Set([4, 5, 6]) }],
    below: [`합계금액 : ${won(total)} 원 (부가세 별도)`],
    documentType: 'other',
    width: random.between(50, 60),
  };
}

/** Codes of nine digits as shops give them; none starts as a maker of drugs does. */
export function priceList(random: Random, split: Split): Paper {
  const goods = [
    '핸드크림 50ml',
    '샴푸 500ml',
    '치약 120g',
    '선크림 50g',
    '마스크팩 10매',
    '비누 100g',
    '로션 200ml',
    '면봉 200개',
    '칫솔 4입',
    '물티슈 100매',
    '향초 200g',
    '립밤 5g',
  ];
  const amounts = random.chance(0.5);
  const rows = random
    .shuffled(goods)
    .slice(0, random.int(5, 12))
    .map((good) => {
      const price = random.int(10, 400) * 100;
      const count = random.int(1, 40);
      const code = String(random.int(100_000_000, 499_999_999));
      return amounts
        ? [code, good, String(count), won(price), won(price * count)]
        : [code, good, random.pick(['개', 'BOX', '세트']), won(price), `${random.int(5, 40)}%`];
    });
  return {
    title: random.pick(['상 품 가 격 표', '주문내역서', '납품 단가표', '매입 전표']),
    above: [
      `${random.pick(VOCABULARIES[split].makerStems)}유통   ${businessNumber(random)}`,
      `적용일 : ${date(random)}`,
    ],
    tables: [
      {
        header: amounts
          ? ['상품코드', '상품명', '수량', '단가', '금액']
          : ['상품코드', '상품명', '단위', '판매가', '할인율'],
        rows,
        right: new Set([2, 3, 4]),
      },
    ],
    below: ['가격은 예고 없이 변경될 수 있습니다.'],
    documentType: 'other',
    width: random.between(46, 58),
  };
}

/** Sprays have names of a form and a strength, and a dose and days, as drugs do. */
export function pesticides(random: Random, split: Split): Paper {
  const rows = random
    .shuffled([
      '만코제브 수화제',
      '델타메트린 유제',
      '글리포세이트 액제',
      '이미다클로프리드 입제',
      '아족시스트로빈 액상수화제',
      '티아메톡삼 입상수화제',
      '디노테퓨란 수화제',
    ])
    .slice(0, random.int(4, 7))
    .map((name) => [
      random.pick(['벼', '고추', '사과', '배추', '포도']),
      name,
      `${random.int(1, 40)}g/20L`,
      `수확 ${random.int(3, 30)}일 전`,
      `${random.int(1, 5)}회 이내`,
    ]);
  return {
    title: random.pick(['농약 안전사용기준', '작물별 방제 약제', '병해충 방제력']),
    above: [`${random.pick(VOCABULARIES[split].makerStems)}농업기술센터   ${date(random)}`],
    tables: [{ header: ['작물', '농약명', '희석배수', '사용시기', '사용횟수'], rows, right: new Set() }],
    below: ['※ 사용 전에 포장지의 표시사항을 확인하십시오.'],
    documentType: 'other',
    width: random.between(46, 56),
  };
}
