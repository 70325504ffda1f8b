import { folded, type LetterPrior, PRIOR_ORDER } from './letter-prior.ts';

/** A letter of a line, and the steps of the network's output from `from` to `to` that show it. */
export interface FoundLetter {
  readonly index: number;
  /** The highest probability that print gives it. */
  readonly chance: number;
  readonly from: number;
  readonly to: number;
}

const BEAM = 8;
/** Weight of the prior against print, and the probability from which on it speaks for a letter. */
const WEIGHT = 0.6;
const NEUTRAL = Math.log(0.02);

interface Path {
  readonly score: number;
  /** Last letters, folded. */
  readonly tail: string;
  readonly letters: readonly FoundLetter[];
}

/**
 * The letters of a line, where print leaves some of them open as the prior finds them likelier. Print says how many letters there are, the
 * prior speaks for letters and against none, and outweighs print ten times at most: what it does not know is read as it is printed.
 * @param open the letters that each place may show, as the network rates them
 */
export function mostLikely(
  open: readonly (readonly FoundLetter[])[],
  letterOf: (index: number) => string,
  prior: LetterPrior,
): readonly FoundLetter[] {
  let paths: readonly Path[] = [{ score: 0, tail: '', letters: [] }];
  for (const candidates of open) {
    const longer = paths.flatMap(({ score, tail, letters }) =>
      candidates.map((found): Path => {
        const letter = folded(letterOf(found.index));
        return {
          score: score + Math.log(found.chance) + weightOf(letter, tail, prior),
          tail: (tail + letter).slice(1 - PRIOR_ORDER),
          letters: [...letters, found],
        };
      }),
    );
    paths = longer.length > BEAM ? longer.sort((a, b) => b.score - a.score).slice(0, BEAM) : longer;
  }
  return paths.reduce((best, path) => (path.score > best.score ? path : best)).letters;
}

/** Behind a digit are units, dates and amounts, which print alone decides. */
function weightOf(letter: string, before: string, prior: LetterPrior): number {
  return before.endsWith('0') ? 0 : WEIGHT * Math.max(0, prior.logOf(before, letter) - NEUTRAL);
}
