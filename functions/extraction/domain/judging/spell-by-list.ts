import type { TextField } from '../drug-line.ts';
import { compareNames, type NameComparison } from '../master/drug-name.ts';

const SYLLABLE = /^[가-힣]$/;
const DIGIT = /^\d$/;
/** Neither a letter nor a digit, nor what strengths are written with, units in one sign included. */
const MARK = /^[^\p{L}\p{N}%/+()㎀-㏟]$/u;
/** A letter that the reader holds possible is nearly read, one that was hardly read at all may be any; other differences count whole. (Eighths add up exactly.) */
const RIVAL_COST = 0.25;
const HARDLY_READ_COST = 0.625;
/** Confidence below which a letter was hardly read. */
const HARDLY_READ = 0.75;
/** Confidence below which each letter, and all of them together, were not read. */
const UNREAD = { letter: 0.6, all: 0.3 };
/** Of a name's letters, how many may change. */
const MAX_CHANGED = 0.2;

/**
 * A name as it may be read: at a place where the reader held several syllables possible, the one that the list's name has there. As it was
 * read first where too many of its letters would change.
 * @param listed the name that the list gives to the line's code.
 */
export function readByList(name: TextField, listed: string): string | null {
  const { value, rivals } = name;
  if (value === null || !rivals || !MISREAD.has(compareNames(value, listed).agreement)) return value;
  const print = printOf(value, name);
  const spelt = value.split('');
  const chosen = alignedLetters(print, listed).filter(([at, listedAt]) => isRival(print[at]!, listed[listedAt]!));
  for (const [at, listedAt] of chosen) spelt[at] = listed[listedAt]!;
  return chosen.length <= MAX_CHANGED * value.length ? spelt.join('') : value;
}

/**
 * A name as the list spells it where print was not read surely: one of the syllables that the reader held possible; before the first
 * bracket also where print was hardly read, as under a pen's stroke, if most of the name was read. Marks that the list does not have
 * between its syllables go, and so does what was not read at its end. Digits, and Latin letters beside them, which tell strengths apart,
 * stay as they were read, and so does a name that is another one than the list's. What is not even a possible reading confirms no code.
 * @param listed the name that the list gives to the line's code.
 */
export function spellByList(name: TextField, listed: string): string | null {
  const { value } = name;
  if (value === null || !name.letters || !MISREAD.has(compareNames(value, listed).agreement)) return value;
  const print = printOf(value, name);
  const pairs = alignedLetters(print, listed);
  const brand = listed.includes('(') ? listed.indexOf('(') : listed.length;
  const spelt = value.split('');
  let supplied = 0;
  for (const [at, listedAt] of pairs) {
    const syllable = listed[listedAt]!;
    if (isRival(print[at]!, syllable)) spelt[at] = syllable;
    else if (print[at]!.isOpen && listedAt < brand && SYLLABLE.test(syllable) && print[at]!.letter !== syllable) {
      spelt[at] = syllable;
      supplied++;
    }
  }
  if (supplied > MAX_CHANGED * value.length) return value;
  const paired = new Set(pairs.map(([at]) => at));
  for (let at = pairs.at(-1)?.[0] ?? 0; at < (pairs[0]?.[0] ?? 0); at++)
    if (!paired.has(at) && isStray(print[at]!) && isAmongSyllables(spelt, at)) spelt[at] = '';
  const text = spelt.slice(0, endOf(print)).join('').trimEnd();
  return compareNames(text, listed).agreement === 'different' ? value : text;
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
