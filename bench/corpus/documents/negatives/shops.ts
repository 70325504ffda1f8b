import { businessNumber, date, person, phone } from '../../drawing/people.ts';
import type { Random } from '../../random.ts';
import type { Split } from '../../truth.ts';
import { VOCABULARIES } from '../../vocabulary.ts';
import { type Paper, won } from './paper.ts';

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

export function shopReceipt(random: Random, split: Split): Paper {
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
      return [name, won(price), String(count), won(price * count)];
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
      `합 계 금 액        ${won(total)}`,
      `(부가세 포함)   카드결제 ${won(total)}`,
      '교환/환불은 7일 이내 영수증 지참',
    ],
    documentType: 'receipt',
    width: coded ? random.between(34, 42) : random.between(24, 32),
  };
}

export function restaurantReceipt(random: Random, split: Split): Paper {
  let total = 0;
  const rows = random
    .shuffled(DISHES)
    .slice(0, random.int(2, 7))
    .map((dish) => {
      const count = random.int(1, 4);
      const price = random.int(2, 30) * 1000;
      total += price * count;
      return [dish, String(count), won(price * count)];
    });
  return {
    title: `${random.pick(VOCABULARIES[split].makerStems)}${random.pick(['식당', '회관', '분식'])}`,
    above: [`사업자 ${businessNumber(random)}`, `${date(random)}   테이블 ${random.int(1, 30)}`],
    tables: [{ header: ['메뉴', '수량', '금액'], rows, right: new Set([1, 2]) }],
    below: [`합계   ${won(total)} 원`, '감사합니다. 또 오십시오.'],
    documentType: 'receipt',
    width: random.between(22, 30),
  };
}

/** 880, a maker of groceries, its good, the check digit. */
function barcode(random: Random): string {
  const digits = `8801${random.int(100, 999)}${String(random.int(0, 99_999)).padStart(5, '0')}`;
  const sum = [...digits].reverse().reduce((all, digit, i) => all + Number(digit) * (i % 2 === 0 ? 3 : 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
