import { editDistances } from '../text/edit-distance.ts';
import { toJamo } from '../text/jamo.ts';

const UNIT_WORDS: readonly (readonly [RegExp, string])[] = [
  [/밀리(?:그램|그람)/g, 'mg'],
  [/마이크로(?:그램|그람)|[μµ]g|ug/g, 'mcg'],
  [/밀리(?:리터|리타)/g, 'ml'],
  [/그램|그람/g, 'g'],
  [/퍼센트|프로(?=\()/g, '%'],
  [/단위|i\.?u\.?(?=[^a-z]|$)/g, 'iu'],
];

/** A name up to the unit of its last number, where the unit is in Latin. */
const TO_END_OF_STRENGTH = /^.*\d[a-zμ]*/i;

/** A drug name in the form in which two prints of it compare equal: units in one spelling, no blanks, no punctuation. */
export function foldName(name: string): string {
  let folded = name.normalize('NFKC').toLowerCase().replace(/\s+/g, '');
  for (const [words, unit] of UNIT_WORDS) folded = folded.replace(words, unit);
  // A point before a digit is part of a strength (0.5mg, .5mg); a separator between digits is not (1,000mg).
  return folded.replace(/(?<!\d)\.(?=\d)/g, '0.').replace(/\.(?!\d)|[^\p{L}\p{N}.%]/gu, '');
}

export interface ListedName {
  /** The whole name, folded. */
  readonly full: string;
  /** Brand, form and strength: what stands before the first bracket. */
  readonly core: string;
  /** The name without the bracketed ingredient, where it has one and a pack behind it. */
  readonly withoutIngredient: string | null;
}

/** The published list writes brand, form and strength, then `(ingredient)_(pack)`. */
export function foldListedName(name: string): ListedName {
  const pack = name.lastIndexOf('_(');
  const bracket = name.indexOf('(');
  return {
    full: foldName(name),
    core: foldName(bracket > 0 ? name.slice(0, bracket) : name),
    withoutIngredient:
      bracket > 0 && pack > bracket ? foldName(name.slice(0, bracket)) + foldName(name.slice(pack)) : null,
  };
}

export interface NameComparison {
  /**
   * - `whole`: the print is the listed name from its first letter to its last, blanks and the spelling of units aside.
   * - `verbatim`: it is, but for blanks, the listed name without its brackets.
   * - `cut`: it is a beginning of the listed name that reaches past the strength.
   * - `same`: the same once units and punctuation are written alike.
   * - `partial`: it is a beginning of the listed name that ends before its strength does: it confirms the brand only.
   * - `similar`: near enough to be the same drug misread or worded differently; every strength that both show agrees.
   * - `different`: another drug, another strength, or too far off to tell.
   */
  readonly agreement: 'whole' | 'verbatim' | 'cut' | 'same' | 'partial' | 'similar' | 'different';
  /** 0 to 1: one less the share of letters (jamo) that differ. */
  readonly similarity: number;
  /** False where it agrees but for a maker or an addition, which the list does not tell. */
  readonly asPrinted: boolean;
}

/** What the print of a listed name may be: all of it, or as much as a sheet shows. */
export const OF_LIST: ReadonlySet<NameComparison['agreement']> = new Set([
  'whole',
  'verbatim',
  'cut',
  'same',
  'partial',
]);

const SIMILAR = 0.8;
/** So many letters make a brand; fewer begin too many names. */
const MIN_CUT_LENGTH = 4;

/** A maker before the name, or behind it in square brackets. */
const MAKER = /^\([가-힣]{2,8}\)/;
const MAKER_BEHIND = /\[[가-힣]{2,12}\]$/;
/** How the drug is given and counted, behind the name; only one of a unit, since more may be a second strength. */
const ADDITIONS =
  /(?:\((?:내복|외용|주사|경구|급여|비급여|원내|원외)\)|\/1(?:정|캡슐|캅셀|포|관|병|앰플|바이알|매|개|통|튜브|팩|키트|환|cc|㏄|m[lL]|㎖|g))+$/;

/** The maker that a print puts in brackets before a name; null where none stands. */
export function makerOf(printed: string): string | null {
  return MAKER.exec(withoutBlanks(printed))?.[0].slice(1, -1) ?? null;
}

/** The maker that a print puts in square brackets behind a name; null where none stands. */
export function makerBehind(printed: string): string | null {
  return MAKER_BEHIND.exec(withoutBlanks(printed))?.[0].slice(1, -1) ?? null;
}

/** Where a printed name goes on to how the drug is given or counted; its length where it does not. */
export function startOfAdditions(printed: string): number {
  return ADDITIONS.exec(printed)?.index ?? printed.length;
}

/** Whether a printed name goes on to how the drug is given or counted: then it is printed to its end. */
export function endsInAddition(printed: string): boolean {
  return ADDITIONS.test(withoutBlanks(printed));
}

/** What a column leaves of them where it cuts the name; another syllable behind `/1` is one that was misread. */
const CUT_ADDITION =
  /(?:\((?:내|외|주|경|급|비|비급|원)?|\((?:내복|외용|주사|경구|급여|비급여|원내|원외)|\/1?|\/1(?:캡|캅|앰|앰풀|바|바이|튜|키|알|롤|세|세트|시|시트))$/;

/** A printed name without what prescriptions put around the names of the list: `(유한)가나정5mg(내복)/1정`. */
export function bareName(printed: string): string {
  return withoutBlanks(printed).replace(MAKER, '').replace(MAKER_BEHIND, '').replace(ADDITIONS, '');
}

/** What of a listed name is left behind a print that is its beginning, letter by letter; null where it is none. */
export function restOfName(printed: string, listed: string): string | null {
  const [print, name] = [bareName(printed), withoutBlanks(listed)];
  return name.startsWith(print) ? name.slice(print.length) : null;
}

const CONFIRMING: ReadonlySet<NameComparison['agreement']> = new Set(['whole', 'verbatim', 'cut', 'same']);

/** Compares a name as printed (perhaps cut off, without its pack, or misread) with a name of the master. */
export function compareNames(printed: string, listed: string): NameComparison {
  const asPrinted = { ...compareAsPrinted(printed, listed), asPrinted: true };
  if (CONFIRMING.has(asPrinted.agreement)) return asPrinted;
  const bare = bareName(printed);
  const asMeant = { ...compareAsPrinted(bare, listed), asPrinted: false };
  if (CONFIRMING.has(asMeant.agreement)) return asMeant;
  const uncut = bareName(bare.replace(CUT_ADDITION, ''));
  const asCut = uncut === bare ? asMeant : { ...compareAsPrinted(uncut, listed), asPrinted: false };
  return CONFIRMING.has(asCut.agreement) ? asCut : asMeant;
}

function compareAsPrinted(printed: string, listed: string): Omit<NameComparison, 'asPrinted'> {
  const print = foldName(printed);
  if (print.length < 2) return { agreement: 'different', similarity: 0 };
  const beginning = compareBeginnings(withoutBlanks(printed), withoutBlanks(listed));
  if (beginning) return { agreement: beginning, similarity: 1 };
  const name = foldListedName(listed);
  if (print === name.full) return { agreement: 'whole', similarity: 1 };
  if (print === name.core || print === name.withoutIngredient) return { agreement: 'same', similarity: 1 };
  if (closesTooEarly(printed, listed)) return { agreement: 'similar', similarity: 1 };
  if (name.full.startsWith(print) && !/\d/.test(name.core.slice(print.length))) {
    if (!endsInStrength(print, name.core)) return { agreement: 'same', similarity: 1 };
    // Behind a unit that a column cuts no bracket is printed: letters before it were lost.
    return { agreement: /[([]\s*$/.test(printed) ? 'similar' : 'partial', similarity: 1 };
  }
  const similarity = nameSimilarity(print, name);
  const alike = similarity >= SIMILAR && strengthsAgree(print, name.core);
  return { agreement: alike ? 'similar' : 'different', similarity };
}

/** Whether a print ends in a bracket that holds no more than the beginning of one of the listed name's: what its column cuts may look like `)`. */
function closesTooEarly(printed: string, listed: string): boolean {
  const last = /[([]([^()[\]]+)[)\]]$/.exec(withoutBlanks(printed))?.[1];
  if (last === undefined) return false;
  const brackets = [...withoutBlanks(listed).matchAll(/[([]([^()[\]]+)/g)].map((match) => foldName(match[1]!));
  const print = foldName(last);
  return !brackets.includes(print) && brackets.some((bracket) => bracket.startsWith(print));
}

/** For a print that is, letter by letter, the listed name or a beginning of it. */
function compareBeginnings(print: string, listed: string): 'whole' | 'verbatim' | 'cut' | 'partial' | null {
  if (!listed.startsWith(print)) return null;
  const rest = listed.slice(print.length);
  if (rest === '') return 'whole';
  if (rest.startsWith('(') || rest.startsWith('_(')) return 'verbatim';
  const core = listed.split('(', 1)[0]!;
  if (!/\d/.test(core.slice(print.length)) && !endsInStrength(print, core)) return 'cut';
  return print.length >= MIN_CUT_LENGTH ? 'partial' : null;
}

/** Without its unit a number may be the beginning of another one, 10 of 100; and 5m is 5mg, 5mcg or 5mL. */
function endsInStrength(print: string, core: string): boolean {
  if (/\d$/.test(print) && core.length > print.length) return true;
  return print.length < (core.match(TO_END_OF_STRENGTH)?.[0].length ?? 0);
}

/** Brand, strength and ingredient are said in so many letters; the rest only costs time. */
const COMPARED_LETTERS = 72;
/** How much longer than the print the part of a listed name may be that it is compared with. */
const SLACK = 1.25;

/** @param print a folded name. */
export function nameSimilarity(print: string, listed: ListedName): number {
  const letters = toJamo(print).subarray(0, COMPARED_LETTERS);
  const reach = Math.ceil(letters.length * SLACK);
  const distanceTo = (name: string) => editDistances(letters, toJamo(name).subarray(0, reach)).prefix;
  const distance =
    listed.withoutIngredient === null
      ? distanceTo(listed.full)
      : Math.min(distanceTo(listed.full), distanceTo(listed.withoutIngredient));
  return Math.max(0, 1 - distance / Math.max(1, letters.length));
}

/**
 * Numbers tell strengths apart, where one letter must not count as a mere misreading: 5 mg is not 50 mg. A print that
 * shows no number at all (cut off before it) contradicts nothing.
 */
export function strengthsAgree(print: string, listedCore: string): boolean {
  const shown = print.match(/\d+(?:\.\d+)?/g) ?? [];
  const listed = listedCore.match(/\d+(?:\.\d+)?/g) ?? [];
  return shown.slice(0, listed.length).every((number, i) => Number(number) === Number(listed[i]));
}

/** Sheets mark a name that they cut off with dots. */
function withoutBlanks(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\s+/g, '')
    .replace(/(?<!\.)\.{2,}$/, '');
}
