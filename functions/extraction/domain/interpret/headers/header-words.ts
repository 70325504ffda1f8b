import { BoundedMap } from '../../../../shared/bounded-map.ts';
import { range } from '../../range.ts';
import type { TableField, Template } from '../../reading/template.ts';
import { editDistances } from '../../text/edit-distance.ts';
import { toJamo } from '../../text/jamo.ts';
import { COUNT_FIELDS, type ColumnKind } from './column-kinds.ts';
import { ENDINGS, ENGLISH, ENGLISH_COUNTS, LETTERS, VOCABULARY, type VocabularyEntry } from './header-vocabulary.ts';

/** The column that a header announces. */
export interface HeaderMatch extends Omit<VocabularyEntry, 'word'> {
  /** 0 to 1: one less the share of letters that differ. */
  readonly score: number;
}

/** The kind of column that one letter announces. Only where it is the whole header: it also starts or ends many longer ones. */
export function matchLetter(text: string): HeaderMatch | null {
  const kind = LETTERS[foldHeader(text)];
  return kind === undefined ? null : { kind, score: 1, drugWord: false, secondary: true };
}

interface Word extends VocabularyEntry {
  readonly letters: Uint16Array;
}

const words: readonly Word[] = VOCABULARY.map((entry) => ({ ...entry, letters: toJamo(foldHeader(entry.word)) }));

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

/** Whether a text is 1회 or 1일 alone: the start of several headers, and of a dose in words. */
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
  return isTwo ? null : { kind, score: ENDING_SCORE, drugWord: false, secondary: false };
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
    list.map((word) => ({ word, letters: toJamo(foldHeader(word)), kind, drugWord: true, secondary: false })),
  );
  const all = [...own, ...words];
  wordsByTemplate.set(template, all);
  return all;
}
