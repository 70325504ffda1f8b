import { MAKER_WORDS } from './maker-words.ts';

/**
 * The parts that a drug name is made of. The published list writes `무코스타정(레바미피드)_(0.1g/1정)`: brand, form, strength, ingredient
 * in brackets, pack. Papers write `무코스타정100mg`, `(오츠카)무코스타정(내복)/1정`, `무코스타정 100mg(오츠카)`, `아드반탄연고(외용)/15g/개`.
 */
export interface NameParts {
  /** The name without its maker and additions, blanks removed. */
  readonly bare: string;
  /** Brand, form and strength, folded. */
  readonly core: string;
  /** The core without its form and strength. */
  readonly brand: string;
  /** Dosage form under its usual name; null where the name states none. */
  readonly form: string | null;
  /** In the order of print; of `50/1000mg` both are in mg. */
  readonly strengths: readonly Amount[];
  /** The folded contents of brackets behind the core: ingredients, salts, export names. */
  readonly brackets: readonly string[];
  /** The last bracket is open: a column cut the name. */
  readonly isOpen: boolean;
  /** Whether digits follow the last bracket, `(1정)1`, as when a neighbour's number was read into the name. */
  readonly hasStrayDigits: boolean;
  readonly maker: string | null;
  readonly pack: Pack | null;
  /** The name continues with its maker or with how the drug is given or counted, so that it is printed to its end. */
  readonly hasAdditions: boolean;
}

/** The content of one priced unit: `_(0.1g/1정)`, `/15g/개`, `/1정`. */
export interface Pack {
  /** Folded, as the list writes it behind a name, whole or cut; '' where it is counted otherwise. */
  readonly text: string;
  /** `0.1g/1정`: 0.1 g. Null where only a size is written. */
  readonly strength: Amount | null;
  /** `/15g/개`, `(3g/500mL)`: the content by mass or volume. Null where units are counted. */
  readonly size: Amount | null;
}

export interface Amount {
  /** The number as it is written. */
  readonly written: number;
  /** In units of `unit`. */
  readonly value: number;
  /** Mass in µg, volume in µL, activity in IU, percent; any other unit as it is written; '' where none is. */
  readonly unit: string;
}

const UNIT_WORDS: readonly (readonly [RegExp, string])[] = [
  [/밀리(?:그램|그람)/g, 'mg'],
  [/마이크로(?:그램|그람)|[μµ]g|(?<=\d)ug/g, 'mcg'],
  [/밀리(?:리터|리타)/g, 'ml'],
  [/그램|그람/g, 'g'],
  [/퍼센트|프로(?=\()/g, '%'],
  [/(?:국제)?단위|유니트|i\.?u\.?(?=[^a-z]|$)|unit/g, 'iu'],
];

/** A drug name in the form in which two prints of it compare equal: units in one spelling, no blanks, no punctuation. */
export function foldName(name: string): string {
  // A point before a digit is part of a strength (0.5mg, .5mg) and so is a stroke between digits (40/5mg); a separator is not (1,000mg).
  return withUnits(name)
    .replace(/(?<!\d)\.(?=\d)/g, '0.')
    .replace(/\.(?!\d)|(?<!\d)\/|\/(?!\d)|[^\p{L}\p{N}.%/]/gu, '');
}

function withUnits(name: string): string {
  let folded = name.normalize('NFKC').toLowerCase().replace(/\s+/g, '');
  for (const [words, unit] of UNIT_WORDS) folded = folded.replace(words, unit);
  return folded;
}

/** A name without blanks. Sheets mark a name that they cut off with dots. */
export function withoutBlanks(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\s+/g, '')
    .replace(/(?<!\.)\.{2,}$/, '');
}

const MAKER_BEFORE = /^\((?<maker>[가-힣]{2,14})\)/;
/** In square brackets any name is a maker's, in round ones only a known one; the column may cut either. */
const BEHIND = /(?<open>[[(])(?<content>[가-힣]{1,14})(?<close>[\])]?)$/;
/** Suffixes of company names; a maker is printed with or without one. */
const COMPANY_ENDS = [
  '제약',
  '약품',
  '신약',
  '파마',
  '바이오',
  '헬스케어',
  '코리아',
  '생명과학',
  '공업',
  '메디칼',
  '팜',
];
const SURE_COMPANY_ENDS = ['제약', '약품', '신약', '파마'];

const REMARK = '(?:내복|외용|주사|경구|급여|비급여|원내|원외)';
const IS_REMARK = new RegExp(`^${REMARK}$`);
const COUNTED =
  '(?:정|캡슐|캅셀|포|관|병|앰플|앰풀|바이알|매|개|통|튜브|팩|키트|환|회|장|펜|백|스틱|시럽|롤|세트|시트|카트리지)';
const MEASURE = '(?:g|mL|cc|L)';
/** Behind a number or a Latin unit a measure is part of a strength: 125mg/5mL. */
const NO_STRENGTH = '(?<=[가-힣)])';
/** `/1정`, `/1cc`, `/15g/개`, `/20mL/포`; one of a unit or a measured size, since any other number may be a second strength. */
const COUNT = String.raw`\/1${COUNTED}|${NO_STRENGTH}\/1(?:cc|mL|g)|${NO_STRENGTH}\/\d{1,5}(?:\.\d{1,3})?(?:${MEASURE}|매|정|캡슐|회)\/${COUNTED}`;
const ADDITIONS = new RegExp(String.raw`(?:\(${REMARK}\)|${COUNT})+$`, 'i');
/** Remains of these additions where a column cuts the name; any other syllable behind `/1` was misread. */
const CUT_ADDITION = new RegExp(
  String.raw`(?:\((?:내|외|주|경|급|비|비급|원)?|\(${REMARK}|\/1?|\/1(?:캡|캅|앰|앰풀|바|바이|튜|키|알|롤|세|세트|시|시트)|${NO_STRENGTH}\/\d{1,5}(?:m|${MEASURE}\/?))$`,
  'i',
);
const LISTED_PACK = /_\((?<pack>[^()]*(?:\([^()]*\)[^()]*)*)(?<end>\)?)$/;

const PART_NUMBER = String.raw`(?:\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)`;
const PART_UNIT = String.raw`(?:mcg|mg|kg|g|ml|l|ki\.?u|iu|%|mmol|meq|mbq|gbq|mci)(?![a-z])`;
/** `50/1000mg`, `125mg/5ml`, `6mg/ml`, `10/10`. */
const SERIES = new RegExp(
  `(?<numbers>${PART_NUMBER}(?:/${PART_NUMBER})*)(?<unit>${PART_UNIT})?(?:/(?<per>${PART_NUMBER})?(?<perUnit>${PART_UNIT}))?`,
  'g',
);

const MEASURED = new RegExp(`(?<![\\d.,])(?<number>${PART_NUMBER})(?<unit>${PART_UNIT}|cc)`, 'g');

/** Factor to the base unit, by unit. */
const BASE_UNITS: Readonly<Record<string, readonly [unit: string, factor: number]>> = {
  mcg: ['mcg', 1],
  mg: ['mcg', 1e3],
  g: ['mcg', 1e6],
  kg: ['mcg', 1e9],
  ml: ['ul', 1e3],
  l: ['ul', 1e6],
  iu: ['iu', 1],
  kiu: ['iu', 1e3],
};

/** Dosage forms that end a name, the longest first. */
const FORMS = `
  구강붕해정 구강용해필름 확산정 발포정 설하정 질정 장용정 현탁정 분산정 저작정 츄어블정 츄정 서방정 정
  서방캡슐 서방캅셀 연질캡슐 연질캅셀 경질캡슐 장용캡슐 장용캅셀 흡입용캡슐 캡슐 캅셀
  건조시럽 시럽 점안현탁액 현탁액 현탁용분말 점안액 점안겔 안연고 외용액 흡입액 관장액 엘릭서 가글 액
  프리필드시린지주 프리필드시린지 프리필드주 프리필드펜 주사액 주사 주
  나잘스프레이 비강분무액 스프레이 에어로솔 서방과립 과립 세립 산 환 좌제 트로키 필름
  패취 패치 플라스타 첩부제 카타플라스마 연고 크림 로션 겔 샴푸 키트`
  .trim()
  .split(/\s+/)
  .sort((a, b) => b.length - a.length);
/** Forms that go by several names. */
const SAME_FORMS: Readonly<Record<string, string>> = {
  츄어블정: '저작정',
  츄정: '저작정',
  서방캅셀: '서방캡슐',
  연질캅셀: '연질캡슐',
  장용캅셀: '장용캡슐',
  캅셀: '캡슐',
  패치: '패취',
  주사: '주',
};

/** @param name as a paper or the list prints it. */
export function partsOf(name: string): NameParts {
  const found = withoutMakerAndAdditions(name);
  const listed = LISTED_PACK.exec(found.bare);
  const named = listed ? found.bare.slice(0, listed.index) : found.bare;
  const pack = listed ? packOfList(listed.groups!.pack!, listed.groups!.end === '') : packOfCount(found.additions);
  const bracket = named.search(/[([<]/);
  const core = bracket < 0 ? named : named.slice(0, bracket);
  return {
    bare: found.bare,
    core: foldName(core),
    ...coreParts(core),
    ...bracketsOf(named.slice(core.length)),
    maker: found.maker,
    pack,
    hasAdditions: found.additions !== '',
  };
}

function withoutMakerAndAdditions(name: string) {
  let bare = withoutBlanks(name);
  let maker: string | null = null;
  let additions = '';
  const before = MAKER_BEFORE.exec(bare);
  if (before) {
    if (!IS_REMARK.test(before.groups!.maker!)) maker = before.groups!.maker!;
    bare = bare.slice(before[0].length);
  }
  for (let end = -1; end !== bare.length; ) {
    end = bare.length;
    const behind = BEHIND.exec(bare);
    const { open, content = '', close } = behind?.groups ?? {};
    if (behind && (open === '[' || (close === '' ? mayBecomeMaker(content) : isMaker(content)))) {
      if (close !== '') maker = content;
      additions = behind[0] + additions;
      bare = bare.slice(0, behind.index);
    }
    const added = ADDITIONS.exec(bare);
    if (added) {
      additions = added[0] + additions;
      bare = bare.slice(0, added.index);
    }
  }
  return { bare, maker, additions };
}

/** Whether a company is called so, in full or short: `오츠카`, `한국오츠카제약`, `성원` for 성원애드콕. */
export function isKnownMaker(word: string): boolean {
  const short = word.replace(/^한국(?=.)/, '');
  const end = COMPANY_ENDS.find((each) => short.endsWith(each)) ?? '';
  const stem = short.slice(0, short.length - end.length);
  return MAKER_WORDS.has(word) || (stem.length > 1 && [...MAKER_WORDS].some((known) => known.startsWith(stem)));
}

/** Whether a bracket behind a name holds a maker and no ingredient. */
function isMaker(word: string): boolean {
  return SURE_COMPANY_ENDS.some((end) => word.endsWith(end)) || isKnownMaker(word);
}

/** Whether a bracket that a column cuts holds the start of a maker: of more letters than chance would make one. */
function mayBecomeMaker(content: string): boolean {
  const short = content.replace(/^한국(?=.)/, '');
  return content.length > 1 && (isMaker(content) || [...MAKER_WORDS].some((word) => `${word}제약`.startsWith(short)));
}

/** A bare name without what a column leaves of its additions where it cuts them. */
export function withoutCutAddition(bare: string): string {
  return withoutMakerAndAdditions(bare.replace(CUT_ADDITION, '')).bare;
}

/** Where a printed name continues with its maker, how the drug is given or how it is counted; its length if it does not. */
export function startOfAdditions(printed: string): number {
  let letters = withoutMakerAndAdditions(printed).additions.length;
  let at = printed.length;
  while (letters > 0 && at > 0) letters -= printed[--at]!.normalize('NFKC').trim().length;
  return at;
}

/** Whether two amounts are the same; null where a unit is missing or cannot be converted, so that they cannot be compared. */
export function sameAmount(a: Amount, b: Amount): boolean | null {
  if (a.unit !== b.unit) return a.unit === '' || b.unit === '' ? null : false;
  return Math.abs(a.value - b.value) <= 1e-6 * Math.max(a.value, b.value);
}

function coreParts(core: string): Pick<NameParts, 'brand' | 'form' | 'strengths'> {
  const strengths: Amount[] = [];
  const text = withUnits(core);
  const named = text.replace(SERIES, (series, ...args) => {
    const { numbers, unit, per, perUnit } = args.at(-1) as Record<string, string | undefined>;
    const end = (args.at(-3) as number) + series.length;
    // A number without a unit is a strength at the end of a name only: 이오메론350주, 타이펜8시간이알서방정 carry it in the brand.
    if (unit === undefined && end < text.length) return series;
    strengths.push(...numbers!.split('/').map((number) => amountOf(number, unit ?? perUnit ?? '')));
    if (unit !== undefined && perUnit !== undefined) strengths.push(amountOf(per ?? '1', perUnit));
    return '';
  });
  const letters = foldName(named);
  const form = FORMS.find((ending) => letters.endsWith(ending) && letters.length > ending.length) ?? null;
  const brand = letters.slice(0, letters.length - (form?.length ?? 0));
  return { brand, form: form && (SAME_FORMS[form] ?? form), strengths };
}

function amountOf(number: string, unit: string): Amount {
  const written = Number(number.replaceAll(',', ''));
  const plain = unit.replace('.', '');
  const [base, factor] = BASE_UNITS[plain] ?? [plain, 1];
  return { written, value: written * factor, unit: base };
}

/** `_(0.1g/1정)`, `_(3g/500mL)`, `_(78.5μg/1mL/앰플)`, `_(아세트아미노펜, 0.65g/1정)`. @param isCut then no number of it is whole. */
function packOfList(pack: string, isCut: boolean): Pack {
  const text = foldName(pack);
  const amounts = isCut ? [] : measured(pack.split(/,(?!\d{3})/).at(-1)!);
  const last = amounts.at(-1) ?? null;
  if (amounts.length > 1) return { text, strength: amounts[0]!, size: last };
  return /\/\d+[가-힣]/.test(pack) ? { text, strength: last, size: null } : { text, strength: null, size: last };
}

/** `/15g/개`, `/1정`. */
function packOfCount(added: string): Pack | null {
  const [size] = measured(added);
  // `/1cc` is the unit of a dose.
  return size === undefined || size.written === 1 ? null : { text: '', strength: null, size };
}

function measured(text: string): readonly Amount[] {
  return [...withUnits(text).matchAll(MEASURED)].map(({ groups }) =>
    amountOf(groups!.number!, groups!.unit === 'cc' ? 'ml' : groups!.unit!),
  );
}

function bracketsOf(text: string): Pick<NameParts, 'brackets' | 'isOpen' | 'hasStrayDigits'> {
  const brackets: string[] = [];
  let depth = 0;
  let start = 0;
  let outside = '';
  for (let at = 0; at < text.length; at++) {
    if ('([<'.includes(text[at]!) && depth++ === 0) start = at + 1;
    else if (')]>'.includes(text[at]!) && depth > 0 && --depth === 0) brackets.push(foldName(text.slice(start, at)));
    else if (depth === 0) outside += text[at];
  }
  // Letters behind a bracket are those of one whose opening was not read.
  brackets.push(foldName(outside));
  if (depth > 0) brackets.push(foldName(text.slice(start)));
  return {
    brackets: brackets.filter((content) => content !== ''),
    isOpen: depth > 0,
    hasStrayDigits: /^\d+$/.test(outside),
  };
}
