import type { ColumnKind } from './column-kinds.ts';

/** A word that heads a column. */
export interface VocabularyEntry {
  readonly word: string;
  readonly kind: ColumnKind;
  /** True for words that only drug sheets use; `수량` and `금액` are on every receipt. */
  readonly drugWord: boolean;
  /** True for words that mean the field only if the sheet has no better one: 1일투약량 next to 1회투약량. */
  readonly secondary: boolean;
}

/**
 * The words of each kind. They are composed of few others, as forms do it: `{,총}일수` stands for 일수 and 총일수.
 */
const DRUG_WORDS: Partial<Record<ColumnKind, string>> = {
  drugCode: '{보험,약품,의약품,처방,청구,보험등재,약가,보험약가,심평원,원내,EDI}코드 {,보험}EDI EDICODE',
  drugName:
    '{,처방,조제,투약,주사}{약품,의약품,약}{명,명칭,이름} {약제,처방,오더}{명,명칭} {,처방}의약품의명칭 처방의약품의명칭및코드 약품 처방약 처방의약품',
  quantity:
    '{1회,매회,한번}{투약,투여,복용,사용,처방}{량,용량} {1회,매회}{량,용량,분} {투약,투여,복용}량 {,SINGLE}DOSE DOSAGE',
  timesPerDay: '{,1일,하루}{,투약,투여,복용,사용}횟수 {FREQ,FREQUENCY}{,/DAY}',
  days: '{,총}{투약,투여,복용,조제}일수 {,총}{투약,투여,복용}기간 총{투약,투여}일 총일수',
  prescribedQty: '총{투약,투여,복용,처방,조제,사용}{량,용량} {,조제}총량 처방량',
  unitPrice: '{보험,상한,고시}{가,금액} 약가 보험약가',
  totalAmount: '{,총}{약품,약제}비 {약품,약제,청구}금액 청구액',
};

/** Drug words, too, but of a field that the sheet may name better. */
const SECONDARY_WORDS: Partial<Record<ColumnKind, string>> = {
  drugCode: '{,의약품}표준코드',
  quantity: '{1일,하루}{,투여,투약,복용}량 DAILYDOSE',
  days: '처방일수',
};

/** Words that lists of any goods use. */
const COMMON_WORDS: Record<ColumnKind, string> = {
  drugCode: '{,제품,상품,품목,품목기준,수가,KD}코드 코드번호 {,DRUG,ITEM,PRODUCT,ORDER}CODE',
  drugName:
    '품명 {제품,품목,상품,수가}명 {,분류}명칭 품목 상품정보 {ORDER,DRUG,PRODUCT,ITEM}NAME MEDICATION {,ITEM}DESCRIPTION',
  quantity: '{,주문,신청,청구,재고}수량 {사용,신청,청구,재고,불출}량 용량 현재고 QTY QUANTITY',
  timesPerDay: '회수 {,1}일투 회/일 {회,TIMES}/DAY',
  days: '일수 날수 기간 DAY DAYS DAYSSUPPLY DURATION',
  prescribedQty: '{총,합계,총계}수량 수량합계 TOTAL{QTY,QUANTITY,DOSE}',
  unitPrice: '{,보험,공급}단가 실구입가 UNIT{PRICE,COST}',
  totalAmount: '{,합계,총,주문}금액 총액 {,TOTAL}AMOUNT AMT',
  other:
    '처방의 처방의사 담당의 연번 번호 순번 NO DATE UNIT ROUTE SIG NURSE 순 순서 줄 항 목 항목 업체명 업소명 제조사 제조회사 제약사 회사명 규격 단위 포장 비고 용법 투여경로 구분 급여구분 급여여부 급여 보험구분 원내외 원내외구분 내외구분 특정내역 유형 성분명 주성분코드 함량 {처방,조제}일 {처방,조제,투약,투여,복용}일자 {처방,조제,투약,투여}시간 본인부담금 본인부담 {조정,인정,삭감,심사,심결}{액,금액} 조정사유 할인 부가세 세액 유효기간 유효기한 사용기한 제조번호 로트번호 효능 분류 투여 재고 약품모양 모양 성상 제형 색상 복약안내 복용법 복용방법 투여방법 복용시간 주의사항 보관방법 효능효과 약효 부담코드 본인부담코드 코드구분 줄번호 교부번호 처방전교부번호',
};

/** Also secondary: a sheet that adds a tax to it prints the sum, too; a sum may be of anything; narrow columns have the start of 1회투약량, 1일투여횟수 and 총투여일수 only. */
const SECONDARY_COMMON_WORDS: Partial<Record<ColumnKind, string>> = {
  quantity: '1회{,투약,투여,복용} 투약',
  timesPerDay: '1일 하루',
  days: '총투',
  prescribedQty: 'TOTAL',
  totalAmount: '공급가액 합계',
};

/** A supplier's lists say with each number which trade it was: 구입수량, 입고단가. */
const TRADE = '{구입,입고,출고,납품,판매,매입,매출,발주,거래,반품}';
const TRADE_WORDS: Partial<Record<ColumnKind, string>> = {
  drugName: `${TRADE}{품목,품명}`,
  quantity: `${TRADE}수량`,
  unitPrice: `${TRADE}단가`,
  totalAmount: `${TRADE}금액`,
};

/** Remains of a word in columns too narrow for it. */
export const LETTERS: Readonly<Record<string, ColumnKind>> = {
  량: 'quantity',
  회: 'timesPerDay',
  일: 'days',
  총: 'prescribedQty',
};

/** All words that are known to head columns. */
export const VOCABULARY: readonly VocabularyEntry[] = [
  ...entries(DRUG_WORDS, { drugWord: true, secondary: false }),
  ...entries(SECONDARY_WORDS, { drugWord: true, secondary: true }),
  ...entries(COMMON_WORDS, { drugWord: false, secondary: false }),
  ...entries(TRADE_WORDS, { drugWord: false, secondary: false }),
  ...entries(SECONDARY_COMMON_WORDS, { drugWord: false, secondary: true }),
];

/** Words that say enough behind any other: 비치수량, 특별단가. */
export const ENDINGS = [
  ['수량', 'quantity'],
  ['단가', 'unitPrice'],
  ['횟수', 'timesPerDay'],
  ['일수', 'days'],
] as const;

/** English words of bilingual forms above or next to the Korean ones: `Dose 1회투약량`. */
export const ENGLISH =
  /MEDICATION|MEDICINE|DRUG|NAME|DOSAGE|DOSE|FREQUENCY|FREQ|TIMES?|PER|DAYS?|DURATION|TOTAL|QUANTITY|QTY|SIG|ROUTE|UNIT|USAGE|REMARKS?/gi;

/** English words that distinguish counts: 총투약 is common to 총투약일수 and 총투약량. */
export const ENGLISH_COUNTS: Partial<Record<ColumnKind, RegExp>> = {
  quantity: /DOSE|DOSAGE/,
  timesPerDay: /FREQ|TIMES/,
  days: /DAYS|DURATION/,
};

function entries(
  lists: Partial<Record<ColumnKind, string>>,
  rank: Pick<VocabularyEntry, 'drugWord' | 'secondary'>,
): readonly VocabularyEntry[] {
  return (Object.entries(lists) as [ColumnKind, string][]).flatMap(([kind, list]) =>
    list
      .split(/\s+/)
      .flatMap(expanded)
      .map((word) => ({ word, kind, ...rank })),
  );
}

/** The words of a pattern, one for each part between its braces. */
function expanded(pattern: string): readonly string[] {
  const [whole, before, parts, behind] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  return whole === undefined ? [pattern] : parts!.split(',').flatMap((part) => expanded(before! + part + behind!));
}
