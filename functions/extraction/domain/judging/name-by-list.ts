import type { TextField } from '../drug-line.ts';
import type { DrugMaster, MasterDrug } from '../master/drug-master.ts';
import { compareNames, type NameComparison } from '../master/drug-name.ts';
import { foldName, partsOf, startOfAdditions } from '../master/name-parts.ts';
import { productOf } from '../reading/reading-parts.ts';
import { isOneLetterApart } from '../text/jamo.ts';

const SYLLABLE = /^[가-힣]$/;
const DIGIT = /^\d$/;
/** Neither a letter nor a digit, nor what strengths are written with, units in one sign included. */
const MARK = /^[^\p{L}\p{N}%/+()㎀-㏟]$/u;
/**
 * Costs of a differing letter: low if the reader held it possible, medium for a jamo's difference (a misreading), none if it was hardly
 * read; other differences count whole. (Eighths add up exactly.)
 */
const RIVAL_COST = 0.25;
const JAMO_COST = 0.5;
const HARDLY_READ_COST = 0.625;
/** Confidence below which a letter was hardly read. */
const HARDLY_READ = 0.75;
/** Confidence below which each letter, and all of them together, were not read. */
const UNREAD = { letter: 0.6, all: 0.3 };
/** Confidence from which a letter at an end that no list has there is part of the name. */
const SURELY_READ = 0.95;
/** Letters that a stroke before a name is read as, at most. */
const MAX_STROKE = 3;
/** Behind a name a rule or a stroke may look so; dots are how sheets mark what they cut. */
const LAST_MARK = /^[·,:;_-]$/;
/**
 * Behind the list's last letter: the maximum number of letters, and of their total confidence, that count as unread where a stroke or a
 * seal continues.
 */
const UNREAD_TAIL = { letters: 4, share: 0.7 };
/** Of a name's letters, how many may change. */
const MAX_CHANGED = 0.2;
/** Syllables that may differ from the list's by a jamo without a doubt of the name. */
const MAX_MISREAD = 1;

export interface NameByList {
  /** As it may be read: what confirms a code, or does not. */
  readonly read: string | null;
  /** As the list spells it: what the line shows. */
  readonly spelt: string | null;
}

/** @param drug what the list gives to the line's code. */
export function nameByList(name: TextField, drug: MasterDrug, master: DrugMaster): NameByList {
  const { value } = name;
  const match = matchWithList(name, drug, master);
  if (value === null || match === null) return { read: value, spelt: value };
  return { read: readByList(value, match, drug), spelt: spellByList(value, match, drug) };
}

/**
 * A name as it may be read: at a place where the reader held several syllables possible, the one that the list's name has there; so for one
 * syllable that differs by a jamo, if no other name of the list is nearer and all else was read well. As it was read first where too many
 * letters would change.
 */
function readByList(value: string, match: Match, drug: MasterDrug): string {
  const { print, rivals, misread } = match;
  const changing = new Set([...rivals, ...misread].map(([at]) => at));
  const bracket = value.indexOf('(', 1);
  // Behind the first bracket every letter must agree with the list's: there, less confidence is enough.
  const least = (at: number) => (bracket > 0 && at > bracket ? UNREAD.letter : HARDLY_READ);
  const isReadWell = print.every(({ confidence }, at) => confidence >= least(at) || changing.has(at));
  const chosen = misread.length <= MAX_MISREAD && isReadWell ? [...rivals, ...misread] : rivals;
  if (chosen.length > MAX_CHANGED * value.length) return value;
  const { text, dropped } = spelling(value, chosen, match, drug);
  // A stroke or a mark is no part of the name; a syllable or a digit may make it another one.
  return /[가-힣\d]/.test(dropped) ? changed(value, chosen).join('') : text;
}

/**
 * Spells a name as the list does where print was misread: letters that the reader held possible, or a syllable that differs by a jamo
 * while no other listed name is closer; before the first bracket also hardly read print, as under a pen's stroke, if most of the name was
 * read. Marks that the list lacks between its syllables are dropped, as is hardly read print at either end, or beyond the end of a name.
 * Digits, and adjacent Latin letters, distinguish strengths: they stay as read unless the reader itself held the list's possible. A name
 * different from the list's stays as well. A name that is not even a possible reading confirms no code.
 */
function spellByList(value: string, match: Match, drug: MasterDrug): string {
  const { rivals, signs, misread, hardlyRead, print } = match;
  if (misread.length + hardlyRead.length > MAX_CHANGED * value.length) return value;
  const says = (name: string) => {
    const weakness = WEAK.indexOf(compareNames(name, drug.name).agreement);
    return weakness < 0 ? WEAK.length : weakness;
  };
  const sure = [...rivals, ...signs, ...withoutRuns(misread, print)];
  // Additions of prescriptions in brackets lie where the list has other letters: do not take them for a reading of these.
  const texts = [[...sure, ...hardlyRead], sure].map((changes) => spelling(value, changes, match, drug).text);
  return texts.find((text) => text !== '' && says(text) > 0 && says(text) >= says(value)) ?? value;
}

/** The name with some of the list's letters, without stray print among its letters and at its ends. */
function spelling(value: string, changes: readonly Change[], match: Match, drug: MasterDrug): Spelling {
  const { print, pairs } = match;
  const spelt = changed(value, changes);
  const paired = new Set(pairs.map(([at]) => at));
  for (let at = pairs.at(-1)?.[0] ?? 0; at < (pairs[0]?.[0] ?? 0); at++)
    if (!paired.has(at) && (isRule(value, at) || (isStray(print[at]!) && isAmongSyllables(spelt, at)))) spelt[at] = '';
  const isSame = (at: number) => paired.has(at) && spelt[at] === match.listedAt.get(at);
  // A lone letter that the list has elsewhere says nothing.
  const isListed = (at: number) => isSame(at) && isSame(at - 1);
  const readEnd = Math.min(endOf(print, isListed), endOfListed(spelt, print, drug));
  // A maker or a count is print, however badly it was read: a stroke is read as neither.
  const end = readEnd >= startOfAdditions(value) ? value.length : readEnd;
  const start = startOf(value, match);
  const dropped = value.split('').filter((_, at) => at < start || at >= end || spelt[at] === '');
  return { text: spelt.slice(start, end).join('').trimEnd(), dropped: dropped.join('') };
}

interface Spelling {
  readonly text: string;
  /** Letters that were read and are no part of it. */
  readonly dropped: string;
}

/** Agreements that confirm no strength, weakest first: a new spelling never agrees less than the reading. */
const WEAK: readonly NameComparison['agreement'][] = ['different', 'similar', 'partial'];

/** The letters of a name, with what the list has at some places. */
function changed(value: string, changes: readonly Change[]): string[] {
  const letters = value.split('');
  for (const [at, syllable] of changes) letters[at] = syllable;
  return letters;
}

/** A place in the reading, and the list's letter there. */
type Change = readonly [at: number, syllable: string];

interface Match {
  readonly print: readonly Letter[];
  /** The list's letters at the paired places. */
  readonly listedAt: ReadonlyMap<number, string>;
  /** Places of letters and of those of the list's name that they stand for, from the last to the first. */
  readonly pairs: readonly (readonly [number, number])[];
  /**
   * The list's letters where the reader held them possible (syllables and other signs separately), where the brand was hardly read, and
   * where a jamo differs.
   */
  readonly rivals: readonly Change[];
  readonly signs: readonly Change[];
  readonly hardlyRead: readonly Change[];
  readonly misread: readonly Change[];
}

/** Null where the name says nothing of its letters; nothing is changed but at its ends where it needs no list. */
function matchWithList(name: TextField, drug: MasterDrug, master: DrugMaster): Match | null {
  const { value } = name;
  if (value === null || !name.letters) return null;
  const print = printOf(value, name);
  const listed = withMaker(drug, value, print);
  const pairs = alignedLetters(print, listed);
  const listedAt = new Map(pairs.map(([at, other]) => [at, listed[other]!]));
  const found = { print, listedAt, pairs };
  if (!isMisread(value, drug)) return { ...found, rivals: [], signs: [], misread: [], hardlyRead: [] };
  const brand = drug.name.includes('(') ? listed.length - drug.name.length + drug.name.indexOf('(') : listed.length;
  const end = startOfAdditions(value);
  const [rivals, signs, misread, hardlyRead]: [Change[], Change[], Change[], Change[]] = [[], [], [], []];
  for (const [at, other] of pairs) {
    const letter = print[at]!;
    const sign = listed[other]!;
    // How the drug is counted is no letter of the list's ingredient.
    if (letter.letter === sign || at >= end) continue;
    if (isRival(letter, sign)) rivals.push([at, sign]);
    else if (letter.rivals.includes(sign)) signs.push([at, sign]);
    else if (!SYLLABLE.test(sign)) continue;
    else if (letter.isOpen && other < brand) hardlyRead.push([at, sign]);
    else if (isOneLetterApart(letter.letter, sign)) misread.push([at, sign]);
  }
  const isNearest = misread.length > 0 && master.suggest(value, 1)[0]?.name === drug.name;
  return { ...found, rivals, signs, misread: isNearest ? misread : [], hardlyRead };
}

/**
 * Three neighbours that were all read surely are not all misread: they stand for other letters of the list, which spells a unit before them
 * otherwise (300mcg(케토프 for 300마이크로그램).
 */
function withoutRuns(misread: readonly Change[], print: readonly Letter[]): readonly Change[] {
  const sure = new Set(misread.map(([at]) => at).filter((at) => print[at]!.confidence >= SURELY_READ));
  const isRun = (first: number) => sure.has(first) && sure.has(first + 1) && sure.has(first + 2);
  return misread.filter(([at]) => !isRun(at - 2) && !isRun(at - 1) && !isRun(at));
}

function isMisread(printed: string, { name, maker }: MasterDrug): boolean {
  const { agreement, asPrinted } = compareNames(printed, name);
  return MISREAD.has(agreement) || (!asPrinted && !maker.startsWith(makerBefore(printed)));
}

/** The maker printed in brackets before a name; '' without one. */
function makerBefore(printed: string): string {
  const { maker } = partsOf(printed);
  return maker !== null && printed.replace(/\s/g, '').startsWith(`(${maker})`) ? maker : '';
}

/** The list's name, behind its maker where one is printed that shares a letter with it, or may have been misread in each. */
function withMaker({ name, maker }: MasterDrug, printed: string, print: readonly Letter[]): string {
  const before = makerBefore(printed);
  const listed = maker.slice(0, before.length);
  const letters = [...before].map((_, at) => print[at + 1]!);
  const isNear = (letter: Letter, at: number) =>
    isRival(letter, listed[at] ?? '') || isOneLetterApart(letter.letter, listed[at] ?? '');
  const isMeant = letters.some(({ letter }, at) => letter === listed[at]) || letters.every(isNear);
  return before !== '' && isMeant ? `(${listed})${name}` : name;
}

/** End of a name before remains of a stroke or of the next column: marks, and letters that were hardly read. */
function endOf(print: readonly Letter[], isListed: (at: number) => boolean): number {
  let end = print.length;
  let chance = 1;
  for (let at = end - 1; at >= 0 && !isListed(at); at--) {
    const { letter, confidence } = print[at]!;
    if (!MARK.test(letter) && confidence >= UNREAD.letter) break;
    if (!MARK.test(letter)) chance *= confidence;
    if (chance < UNREAD.all || (end === at + 1 && LAST_MARK.test(letter) && confidence < SURELY_READ)) end = at;
  }
  let tail = print.findLastIndex((_, at) => isListed(at)) + 1;
  while (tail < end && print[tail]!.confidence >= UNREAD.letter) tail++;
  const letters = print.slice(tail, end).filter(({ letter }) => !MARK.test(letter) && letter !== ' ');
  const unread = letters.filter(({ confidence }) => confidence < UNREAD.letter).length;
  return unread >= UNREAD_TAIL.letters && unread >= letters.length * UNREAD_TAIL.share ? tail : end;
}

/**
 * End of a name that shows all of the listed one up to or beyond a bracket: it continues in a bracket or with the unit of its dose, and
 * letters right behind it belong to a stroke or the next column, unless they were read surely.
 */
function endOfListed(spelt: readonly string[], print: readonly Letter[], { name }: MasterDrug): number {
  const [brand = ''] = name.split('(', 1);
  const wholes = [brand, name.split('_(', 1)[0]!].filter((part) => /\d/.test(part)).map(foldName);
  for (let end = spelt.length - 1; end > 0; end--) {
    const rest = spelt.slice(end).join('');
    if (!/^\s*[\p{L}\p{N}][^(]*$/u.test(rest) || !/[\p{L}\p{N}%)]/u.test(spelt[end - 1]!)) continue;
    const isRead = productOf(print.slice(end).map(({ confidence }) => confidence)) >= SURELY_READ;
    // The list has these letters in a bracket that was not read.
    const isListed = foldName(name).startsWith(foldName(spelt.join('')));
    if (!isRead && !isListed && wholes.includes(foldName(partsOf(spelt.slice(0, end).join('')).bare))) return end;
  }
  return spelt.length;
}

/** Start of a name behind remains of a stroke: one or two letters that the list lacks, not surely read. */
function startOf(value: string, { print, pairs, listedAt }: Match): number {
  const [first, listed] = pairs.at(-1) ?? [0, 0];
  const isStroke = first > 0 && first <= MAX_STROKE && listed === 0 && listedAt.get(first) === value[first];
  const before = print.slice(0, first);
  if (!isStroke || before.some(({ letter }) => /[()]/.test(letter))) return 0;
  return productOf(before.map(({ confidence }) => confidence)) < SURELY_READ ? first : 0;
}

const MISREAD: ReadonlySet<NameComparison['agreement']> = new Set(['similar', 'different']);

interface Letter {
  readonly letter: string;
  readonly confidence: number;
  readonly rivals: string;
  /** Hardly read, in a place for a syllable. */
  readonly isOpen: boolean;
}

function printOf(value: string, { letters = [], rivals = [] }: TextField): readonly Letter[] {
  const all = value.split('');
  return all.map((letter, at) => {
    const confidence = letters[at] ?? 1;
    const isOpen = confidence < HARDLY_READ && isAmongSyllables(all, at);
    return { letter, confidence, rivals: rivals[at] ?? '', isOpen };
  });
}

function isRival({ letter, rivals }: Letter, syllable: string): boolean {
  return SYLLABLE.test(letter) && SYLLABLE.test(syllable) && rivals.includes(syllable);
}

/** A rule below print leaves marks that lists have before a pack in brackets alone. */
function isRule(value: string, at: number): boolean {
  return value[at] === '_' && !/^_\((?:\d|$)/.test(value.slice(at));
}

/** Some names have blanks between words: only a hardly read letter is stray. */
function isStray({ letter, confidence }: Letter): boolean {
  return MARK.test(letter) && (letter !== ' ' || confidence < HARDLY_READ);
}

/** Whether a letter is a syllable, or lies between syllables (ignoring marks) and so belongs to no strength. */
function isAmongSyllables(letters: readonly string[], at: number): boolean {
  if (SYLLABLE.test(letters[at]!)) return true;
  if (DIGIT.test(letters[at]!)) return false;
  const neighbour = (step: number) => {
    let next = at + step;
    while (letters[next] !== undefined && !/[\p{L}\p{N}]/u.test(letters[next]!)) next += step;
    return letters[next] ?? '';
  };
  return SYLLABLE.test(neighbour(-1)) && SYLLABLE.test(neighbour(1));
}

/** Pairs of corresponding places in both names, from the cheapest alignment; the listed name may be longer. */
function alignedLetters(printed: readonly Letter[], listed: string): readonly (readonly [number, number])[] {
  const width = listed.length + 1;
  const costs = new Float32Array((printed.length + 1) * width);
  const substitution = (i: number, j: number) => {
    if (printed[i]!.letter === listed[j]) return 0;
    if (isRival(printed[i]!, listed[j]!)) return RIVAL_COST;
    if (isOneLetterApart(printed[i]!.letter, listed[j]!)) return JAMO_COST;
    return printed[i]!.isOpen && SYLLABLE.test(listed[j]!) ? HARDLY_READ_COST : 1;
  };
  for (let i = 0; i <= printed.length; i++)
    for (let j = 0; j <= listed.length; j++) {
      if (i === 0 || j === 0) costs[i * width + j] = i + j;
      else
        costs[i * width + j] = Math.min(
          costs[(i - 1) * width + j - 1]! + substitution(i - 1, j - 1),
          costs[(i - 1) * width + j]! + 1,
          costs[i * width + j - 1]! + 1,
        );
    }
  let end = 0;
  for (let j = 0; j <= listed.length; j++)
    if (costs[printed.length * width + j]! < costs[printed.length * width + end]!) end = j;
  const pairs: [number, number][] = [];
  for (let i = printed.length, j = end; i > 0 && j > 0; ) {
    const cost = costs[i * width + j]!;
    if (cost === costs[(i - 1) * width + j - 1]! + substitution(i - 1, j - 1)) pairs.push([--i, --j]);
    else if (cost === costs[(i - 1) * width + j]! + 1) i--;
    else j--;
  }
  return pairs;
}
