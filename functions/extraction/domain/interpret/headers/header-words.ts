import { BoundedMap } from '../../../../shared/bounded-map.ts';
import { range } from '../../range.ts';
import type { TableField, Template } from '../../reading/template.ts';
import { editDistances } from '../../text/edit-distance.ts';
import { toJamo } from '../../text/jamo.ts';

/** A prescription's quantities of a drug, without its price. */
export const COUNT_FIELDS = ['quantity', 'timesPerDay', 'days', 'prescribedQty'] as const;

/** The kind that a header cell may announce: one of our fields, or another column. */
export type ColumnKind = TableField | 'other';

export const NAME_KINDS: ReadonlySet<ColumnKind> = new Set(['drugCode', 'drugName']);
export const NUMERIC_KINDS: ReadonlySet<ColumnKind> = new Set([...COUNT_FIELDS, 'unitPrice', 'totalAmount']);

export interface HeaderMatch {
  readonly kind: ColumnKind;
  /** 0 to 1: one less the share of letters that differ. */
  readonly score: number;
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
  quantity: '{1회,매회,한번}{투약,투여,복용,사용,처방}{량,용량} {1회,매회}{량,용량,분} {투약,투여,복용}량',
  timesPerDay: '{,1일,하루}{,투약,투여,복용,사용}횟수',
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

const COMMON_WORDS: Record<ColumnKind, string> = {
  drugCode: '{,제품,상품,품목,품목기준,수가,KD}코드 코드번호 {,DRUG,ITEM,PRODUCT}CODE',
  drugName:
    '품명 {제품,품목,상품,수가}명 {,분류}명칭 품목 상품정보 {ORDER,DRUG,PRODUCT,ITEM}NAME MEDICATION {,ITEM}DESCRIPTION',
  quantity: '{,주문,신청,청구,재고}수량 {사용,신청,청구,재고,불출}량 용량 현재고 {,SINGLE}DOSE DOSAGE QTY QUANTITY',
  timesPerDay: '회수 {,1}일투 회/일 {FREQ,FREQUENCY} {회,FREQ,TIMES}/DAY',
  days: '일수 날수 기간 DAY DAYS DAYSSUPPLY DURATION',
  prescribedQty: '{총,합계,총계}수량 수량합계 TOTAL{QTY,QUANTITY,DOSE}',
  unitPrice: '{,보험,공급}단가 실구입가 UNIT{PRICE,COST}',
  totalAmount: '{,합계,총,주문}금액 총액 {,TOTAL}AMOUNT AMT',
  other:
    '처방의 처방의사 담당의 연번 번호 순번 NO DATE UNIT ROUTE SIG NURSE 순 순서 줄 항 목 항목 업체명 업소명 제조사 제조회사 제약사 회사명 규격 단위 포장 비고 용법 투여경로 구분 급여구분 급여여부 급여 보험구분 원내외 원내외구분 내외구분 특정내역 유형 성분명 주성분코드 함량 {처방,조제}일 {처방,조제,투약,투여,복용}일자 {처방,조제,투약,투여}시간 본인부담금 본인부담 {조정,인정,삭감,심사,심결}{액,금액} 조정사유 할인 부가세 세액 유효기간 유효기한 사용기한 제조번호 로트번호 효능 분류 투여 재고 약품모양 모양 성상 제형 색상 복약안내 복용법 복용방법 투여방법 복용시간 주의사항 보관방법 효능효과 약효 부담코드 본인부담코드 코드구분 줄번호 교부번호 처방전교부번호',
};

/** Also secondary: a sheet that adds a tax to it prints the sum, too; a sum may be of anything; narrow columns have the beginning of 1회투약량, 1일투여횟수 and 총투여일수 only. */
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
const LETTERS: Readonly<Record<string, ColumnKind>> = {
  량: 'quantity',
  회: 'timesPerDay',
  일: 'days',
  총: 'prescribedQty',
};

/** The kind of column that one letter announces. Only where it is the whole header: it also begins or ends many longer ones. */
export function matchLetter(text: string): HeaderMatch | null {
  const kind = LETTERS[foldHeader(text)];
  return kind === undefined ? null : { kind, score: 1, drugWord: false, secondary: true };
}

interface Word extends Omit<HeaderMatch, 'score'> {
  readonly letters: Uint16Array;
}

const words: readonly Word[] = [
  ...entries(DRUG_WORDS, { drugWord: true, secondary: false }),
  ...entries(SECONDARY_WORDS, { drugWord: true, secondary: true }),
  ...entries(COMMON_WORDS, { drugWord: false, secondary: false }),
  ...entries(TRADE_WORDS, { drugWord: false, secondary: false }),
  ...entries(SECONDARY_COMMON_WORDS, { drugWord: false, secondary: true }),
];

/** English words of bilingual forms above or next to the Korean ones: `Dose 1회투약량`. */
const ENGLISH =
  /MEDICATION|MEDICINE|DRUG|NAME|DOSAGE|DOSE|FREQUENCY|FREQ|TIMES?|PER|DAYS?|DURATION|TOTAL|QUANTITY|QTY|SIG|ROUTE|UNIT|USAGE|REMARKS?/gi;

/** Header reading is fuzzy: one letter of a two-syllable word may be wrong. */
const MIN_SCORE = 0.72;

/** Every step of a page's interpretation asks for the same texts, which are some hundred and short. */
const MAX_REMEMBERED = { texts: 1_000, length: 40 };
const matchesByTemplate = new WeakMap<Template, BoundedMap<string, HeaderMatch | null>>();

/** The kind of column that a header text announces, or null. */
export function matchHeader(text: string, template: Template): HeaderMatch | null {
  const known = matchesOf(template);
  const before = known.get(text);
  if (before !== undefined) return before;
  const match = findMatch(text, template);
  if (text.length <= MAX_REMEMBERED.length) known.set(text, match);
  return match;
}

function matchesOf(template: Template): BoundedMap<string, HeaderMatch | null> {
  const known = matchesByTemplate.get(template);
  if (known) return known;
  const none = new BoundedMap<string, HeaderMatch | null>(MAX_REMEMBERED.texts);
  matchesByTemplate.set(template, none);
  return none;
}

/** Whether a text is 1회 or 1일 alone: the beginning of several headers, and of a dose in words. */
export function isBeginning(text: string): boolean {
  return /^1[회일]$/.test(foldHeader(text));
}

/** Whether a text is a word from the middle of several headers, and may head a column by itself. */
export function isMiddle(text: string): boolean {
  return /^투[여약]$/.test(foldHeader(text));
}

/** A header's explanation in brackets: `한번에 (1회량)`; behind more text, as in `2026-03-04 진료 (급여)`, it explains no header. */
const IN_BRACKETS = /^[^()]{0,10}\(([^()]+)\)$/;

function findMatch(text: string, template: Template): HeaderMatch | null {
  const match = matchWords(text, template);
  const explained = match ? undefined : IN_BRACKETS.exec(text)?.[1];
  return explained === undefined ? (match ?? matchOneOf(text, template)) : matchWords(explained, template);
}

/** Part the contents of one column: `약품명_규격`, `품명 및 규격`. */
const SEPARATORS = /(?<=\S)[/_|,+·](?=\S)|\s및\s/;

/** A longer text holds names below their header. */
const MAX_SEVERAL = 20;

/** The names' column may hold more, line by line: it is theirs, or that of the codes. */
function matchOneOf(text: string, template: Template): HeaderMatch | null {
  const words = text.split(SEPARATORS);
  if (words.length === 1 || text.length > MAX_SEVERAL) return null;
  const matches = words.map((word) => matchWords(word, template));
  const of = (kind: ColumnKind) => matches.find((match) => match?.kind === kind) ?? null;
  return of('drugName') ?? of('drugCode');
}

function matchWords(text: string, template: Template): HeaderMatch | null {
  const folded = foldHeader(text);
  const found = matchWord(folded, template);
  const korean = found?.score === 1 ? null : withoutEnglish(folded);
  // Next to a word of the other language it continues in the next line: `DOSE 1회` over `투약량`.
  const alone = korean === null || isBeginning(korean) ? null : matchWord(korean, template);
  const match = alone && alone.score > (found?.score ?? 0) ? alone : found;
  return match && korean !== null && match.score < 1 ? inBothLanguages(match, folded) : match;
}

/** English words that distinguish counts: 총투약 is common to 총투약일수 and 총투약량. */
const ENGLISH_COUNTS: Partial<Record<ColumnKind, RegExp>> = {
  quantity: /DOSE|DOSAGE/,
  timesPerDay: /FREQ|TIMES/,
  days: /DAYS|DURATION/,
};

/** A header whose Korean word was read in part only, or with other letters, is what its other word says. */
function inBothLanguages(match: HeaderMatch, folded: string): HeaderMatch {
  if (!COUNT_FIELDS.some((field) => field === match.kind)) return match;
  const [kind, ...others] = COUNT_FIELDS.filter((field) => ENGLISH_COUNTS[field]?.test(folded));
  return kind && others.length === 0 ? { ...match, kind } : match;
}

/** Whether a text is of Latin letters, and no header's word in the second language: a unit, a route or a code of the list below. */
export function isForeign(text: string): boolean {
  return /^[A-Z][A-Z\d.-]+$/i.test(text) && text.search(ENGLISH) < 0;
}

/** Small print of the second language is misread: Medicaion, Frcq. EDI codes are called so in both. */
const LATIN_WORD = /(?!EDI)[A-Z]{3,}/gi;

/** A header's Korean words without the adjacent English ones; null if it is entirely Korean, or not Korean. */
export function withoutEnglish(text: string): string | null {
  const korean = text.replace(ENGLISH, '').replace(LATIN_WORD, '');
  return korean !== text && /\p{Script=Hangul}/u.test(korean) ? korean : null;
}

/** A day of a month, as over the columns of a record: no misread 1일. */
const DAY = /^(?:[2-9]|[12]\d|3[01])일$/;

export function isDay(text: string): boolean {
  return DAY.test(foldHeader(text));
}

/** The kind of a column of a record under the day that heads it; also a text like a value, 7일. */
export function matchDay(text: string): HeaderMatch | null {
  return isDay(text) ? { kind: 'other', score: 1, drugWord: false, secondary: false } : null;
}

function matchWord(folded: string, template: Template): HeaderMatch | null {
  const letters = toJamo(folded);
  if (letters.length < 2) return null;
  if (DAY.test(folded)) return null;
  let best: HeaderMatch | null = null;
  for (const word of wordsOf(template)) {
    const longer = Math.max(letters.length, word.letters.length);
    // The distance is at least the difference in length: most words need no comparison.
    if (1 - Math.abs(letters.length - word.letters.length) / longer <= (best?.score ?? MIN_SCORE)) continue;
    const score = likeness(letters, word.letters);
    if (score > (best?.score ?? MIN_SCORE)) {
      const { kind, drugWord, secondary } = word;
      best = { kind, score, drugWord, secondary };
    }
  }
  return best ?? endingOf(folded, template);
}

/** Words that say enough behind any other: 비치수량, 특별단가. */
const ENDINGS = [
  ['수량', 'quantity'],
  ['단가', 'unitPrice'],
  ['횟수', 'timesPerDay'],
  ['일수', 'days'],
] as const;
/** Less than of a known word. */
const ENDING_SCORE = 0.8;
const MAX_ENDED = 8;

/** The match of a word with such an ending; null behind a header's word, as where two are printed as one. */
function endingOf(folded: string, template: Template): HeaderMatch | null {
  const found = ENDINGS.find(([ending]) => folded.endsWith(ending) && folded !== ending);
  if (!found || folded.length > MAX_ENDED) return null;
  const [ending, kind] = found;
  const before = folded.slice(0, -ending.length);
  const isTwo = range(2, before.length + 1).some((end) => matchWord(before.slice(0, end), template) !== null);
  return isTwo ? null : { kind, score: ENDING_SCORE, drugWord: false, secondary: true };
}

/** Similarity of a header text to the words of each kind, 0 to 1: the remaining evidence of a header too blurred to announce one. */
export function resemblances(text: string, template: Template): ReadonlyMap<ColumnKind, number> {
  const letters = toJamo(foldHeader(text));
  const found = new Map<ColumnKind, number>();
  if (letters.length < 2) return found;
  for (const word of wordsOf(template)) {
    const score = likeness(letters, word.letters);
    if (score > (found.get(word.kind) ?? 0)) found.set(word.kind, score);
  }
  return found;
}

/** 0 to 1: one less the share of letters that differ. */
function likeness(a: Uint16Array, b: Uint16Array): number {
  return 1 - editDistances(a, b).whole / Math.max(a.length, b.length);
}

/** Without blanks, marks and a bracketed unit: `단가 (원)` is `단가`. */
export function foldHeader(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[([{][^)\]}]*[)\]}]?/g, '')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** A page asks for them thousands of times. */
const wordsByTemplate = new WeakMap<Template, readonly Word[]>();

function wordsOf(template: Template): readonly Word[] {
  const known = wordsByTemplate.get(template);
  if (known) return known;
  const lists = Object.entries(template.headerWords) as [TableField, readonly string[]][];
  const own = lists.flatMap(([kind, list]) =>
    list.map((word) => ({ letters: toJamo(foldHeader(word)), kind, drugWord: true, secondary: false })),
  );
  const all = [...own, ...words];
  wordsByTemplate.set(template, all);
  return all;
}

/** The words of a pattern, one for each part between its braces. */
function expanded(pattern: string): readonly string[] {
  const [whole, before, parts, behind] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  return whole === undefined ? [pattern] : parts!.split(',').flatMap((part) => expanded(before! + part + behind!));
}

function entries(
  lists: Partial<Record<ColumnKind, string>>,
  rank: Pick<Word, 'drugWord' | 'secondary'>,
): readonly Word[] {
  return (Object.entries(lists) as [ColumnKind, string][]).flatMap(([kind, list]) =>
    list
      .split(' ')
      .flatMap(expanded)
      .map((word) => ({ letters: toJamo(foldHeader(word)), kind, ...rank })),
  );
}
