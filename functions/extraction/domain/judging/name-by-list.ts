import type { TextField } from '../drug-line.ts';
import type { DrugMaster, MasterDrug } from '../master/drug-master.ts';
import { compareNames, makerOf, type NameComparison } from '../master/drug-name.ts';
import { isOneLetterApart } from '../text/jamo.ts';

const SYLLABLE = /^[가-힣]$/;
const DIGIT = /^\d$/;
/** Neither a letter nor a digit, nor what strengths are written with, units in one sign included. */
const MARK = /^[^\p{L}\p{N}%/+()㎀-㏟]$/u;
/**
 * A letter that the reader holds possible is nearly read, one that differs by a jamo may be misread, one that was hardly read at all may be
 * any; other differences count whole. (Eighths add up exactly.)
 */
const RIVAL_COST = 0.25;
const JAMO_COST = 0.5;
const HARDLY_READ_COST = 0.625;
/** Confidence below which a letter was hardly read. */
const HARDLY_READ = 0.75;
/** Confidence below which each letter, and all of them together, were not read. */
const UNREAD = { letter: 0.6, all: 0.3 };
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
  return { read: readByList(value, match), spelt: spellByList(value, match, drug) };
}

/**
 * A name as it may be read: at a place where the reader held several syllables possible, the one that the list's name has there; so for one
 * syllable that differs by a jamo, if no other name of the list is nearer and all else was read well. As it was read first where too many
 * letters would change.
 */
function readByList(value: string, { print, rivals, misread }: Match): string {
  const changing = new Set([...rivals, ...misread].map(([at]) => at));
  const isReadWell = print.every(({ confidence }, at) => confidence >= HARDLY_READ || changing.has(at));
  const chosen = misread.length <= MAX_MISREAD && isReadWell ? [...rivals, ...misread] : rivals;
  return chosen.length <= MAX_CHANGED * value.length ? changed(value, chosen).join('') : value;
}

/**
 * A name as the list spells it where print was misread: one of the syllables that the reader held possible, or that differ by a jamo while
 * no other name of the list is nearer; before the first bracket also where print was hardly read, as under a pen's stroke, if most of the
 * name was read. Marks that the list does not have between its syllables go, and so does what was not read at its end. Digits, and Latin
 * letters beside them, which tell strengths apart, stay as they were read, and so does a name that is another one than the list's. What is
 * not even a possible reading confirms no code.
 */
function spellByList(value: string, { print, pairs, rivals, misread, hardlyRead }: Match, drug: MasterDrug): string {
  if (misread.length + hardlyRead.length > MAX_CHANGED * value.length) return value;
  const spelt = changed(value, [...rivals, ...misread, ...hardlyRead]);
  const paired = new Set(pairs.map(([at]) => at));
  for (let at = pairs.at(-1)?.[0] ?? 0; at < (pairs[0]?.[0] ?? 0); at++)
    if (!paired.has(at) && isStray(print[at]!) && isAmongSyllables(spelt, at)) spelt[at] = '';
  const text = spelt.slice(0, endOf(print)).join('').trimEnd();
  return compareNames(text, drug.name).agreement === 'different' ? value : text;
}

/** The letters of a name, with what the list has at some places. */
function changed(value: string, changes: readonly Change[]): string[] {
  const letters = value.split('');
  for (const [at, syllable] of changes) letters[at] = syllable;
  return letters;
}

/** A letter's place in what was read, and what the list has there. */
type Change = readonly [at: number, syllable: string];

interface Match {
  readonly print: readonly Letter[];
  /** Places of letters and of those of the list's name that they stand for, from the last to the first. */
  readonly pairs: readonly (readonly [number, number])[];
  /** What the list has where the reader held it possible; in the brand, where print was hardly read; and where it differs by a jamo. */
  readonly rivals: readonly Change[];
  readonly hardlyRead: readonly Change[];
  readonly misread: readonly Change[];
}

/** Null where the name needs no list, or says nothing of its letters. */
function matchWithList(name: TextField, drug: MasterDrug, master: DrugMaster): Match | null {
  const { value } = name;
  if (value === null || !name.letters || !isMisread(value, drug)) return null;
  const listed = withMaker(drug, value);
  const brand = drug.name.includes('(') ? listed.length - drug.name.length + drug.name.indexOf('(') : listed.length;
  const print = printOf(value, name);
  const pairs = alignedLetters(print, listed);
  const [rivals, misread, hardlyRead]: [Change[], Change[], Change[]] = [[], [], []];
  for (const [at, listedAt] of pairs) {
    const letter = print[at]!;
    const syllable = listed[listedAt]!;
    if (letter.letter === syllable || !SYLLABLE.test(syllable)) continue;
    if (isRival(letter, syllable)) rivals.push([at, syllable]);
    else if (letter.isOpen && listedAt < brand) hardlyRead.push([at, syllable]);
    else if (isOneLetterApart(letter.letter, syllable)) misread.push([at, syllable]);
  }
  const isNearest = misread.length > 0 && master.suggest(value, 1)[0]?.name === drug.name;
  return { print, pairs, rivals, misread: isNearest ? misread : [], hardlyRead };
}

function isMisread(printed: string, { name, maker }: MasterDrug): boolean {
  const { agreement, asPrinted } = compareNames(printed, name);
  return MISREAD.has(agreement) || (!asPrinted && !maker.startsWith(makerOf(printed) ?? ''));
}

/** The list's name, behind its maker where one is printed that shares a letter with it. */
function withMaker({ name, maker }: MasterDrug, printed: string): string {
  const before = makerOf(printed) ?? '';
  const listed = maker.slice(0, before.length);
  return [...before].some((letter, at) => letter === listed[at]) ? `(${listed})${name}` : name;
}

/** Where a name ends before what was read of a stroke or of the next column: letters of which none was nearly read, and marks. */
function endOf(print: readonly Letter[]): number {
  let end = print.length;
  let chance = 1;
  for (let at = end - 1; at >= 0; at--) {
    const { letter, confidence } = print[at]!;
    if (!MARK.test(letter) && confidence >= UNREAD.letter) break;
    if (!MARK.test(letter)) chance *= confidence;
    if (chance < UNREAD.all) end = at;
  }
  return end;
}

const MISREAD: ReadonlySet<NameComparison['agreement']> = new Set(['similar', 'different']);

interface Letter {
  readonly letter: string;
  readonly confidence: number;
  readonly rivals: string;
  /** Hardly read, at a place where a syllable may stand. */
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

/** Blanks are printed between the words of some names: only one that was hardly read is none. */
function isStray({ letter, confidence }: Letter): boolean {
  return MARK.test(letter) && (letter !== ' ' || confidence < HARDLY_READ);
}

/** Whether a letter is a syllable, or is none of a strength: the letters before and behind it, marks aside, are syllables. */
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

/** Pairs of places in both names that stand for each other, from the cheapest alignment; the listed name may go on. */
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
