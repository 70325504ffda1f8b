import type { TextField } from '../drug-line.ts';
import { compareNames, type NameComparison } from '../master/drug-name.ts';

const SYLLABLE = /^[가-힣]$/;
/** A letter that the reader holds possible is nearly read; any other difference counts whole. */
const RIVAL_COST = 0.25;

/**
 * A name with the list's syllables where print was not read surely: at a place where the reader held several syllables possible, the one
 * that the list's name has there. Digits and Latin letters, which tell strengths apart, stay as they were read, and so does a name that
 * is another one than the list's. The line is judged by what was read: a name put right by its code cannot confirm that code.
 * @param listed the name that the list gives to the line's code.
 */
export function spellByList({ value, rivals }: TextField, listed: string): string | null {
  if (value === null || !rivals || !MISREAD.has(compareNames(value, listed).agreement)) return value;
  const letters = value.split('');
  for (const [at, listedAt] of alignedLetters(value, rivals, listed)) {
    const syllable = listed[listedAt]!;
    if (isRival(letters[at]!, rivals[at], syllable)) letters[at] = syllable;
  }
  const spelt = letters.join('');
  return compareNames(spelt, listed).agreement === 'different' ? value : spelt;
}

const MISREAD: ReadonlySet<NameComparison['agreement']> = new Set(['similar', 'different']);

function isRival(letter: string, rivals: string | undefined, syllable: string): boolean {
  return SYLLABLE.test(letter) && SYLLABLE.test(syllable) && (rivals ?? '').includes(syllable);
}

/** Pairs of places in both names that stand for each other, from the cheapest alignment; the listed name may go on. */
function alignedLetters(
  printed: string,
  rivals: readonly string[],
  listed: string,
): readonly (readonly [number, number])[] {
  const width = listed.length + 1;
  const costs = new Float32Array((printed.length + 1) * width);
  const substitution = (i: number, j: number) => {
    if (printed[i] === listed[j]) return 0;
    return isRival(printed[i]!, rivals[i], listed[j]!) ? RIVAL_COST : 1;
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
