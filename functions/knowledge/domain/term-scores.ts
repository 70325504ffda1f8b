import type { AskedWord } from './asked-words.ts';
import type { Segment } from './segment.ts';
import type { Term } from './terms.ts';

/** Parameters of BM25: how soon a term's repetition counts no more, and how much long passages are discounted. */
const K1 = 1.2;
const B = 0.5;

type PassagesWith = (term: Term) => number;

/** How many passages of the segments have a term. */
export function memoizedCount(segments: readonly Segment[]): PassagesWith {
  const counts = new Map<Term, number>();
  return (term) => {
    const known = counts.get(term);
    if (known !== undefined) return known;
    const count = segments.reduce((sum, segment) => sum + segment.passagesWith(term), 0);
    counts.set(term, count);
    return count;
  };
}

interface Spelling {
  /** Scores of a passage by each term that some passage has. */
  readonly factors: ReadonlyMap<Term, number>;
  /** Share of it that counts, so that all spellings of a word say as much. */
  readonly scale: number;
}

/** Spellings of a word that passages have. */
export type WeighedWord = readonly Spelling[];

export interface WeighedWords {
  readonly words: readonly WeighedWord[];
  /** Score of a passage that has every word, and has it so often that more of it would not count. */
  readonly highest: number;
}

/** Words by inverse document frequency. A word in several spellings says as much as the most frequent one. */
export function weighedWords(asked: readonly AskedWord[], passages: number, passagesWith: PassagesWith): WeighedWords {
  const words: WeighedWord[] = [];
  let highest = 0;
  for (const spellings of asked) {
    const weighed = spellings
      .map((terms) => weighedSpelling(terms, passages, passagesWith))
      .filter(({ factors }, index) => index === 0 || factors.size > 0);
    const least = Math.min(...weighed.map((each) => each.highest));
    highest += least;
    words.push(
      weighed
        .filter(({ factors }) => factors.size > 0)
        .map(({ factors, highest: own }) => ({ factors, scale: least / own })),
    );
  }
  return { words: words.filter((spellings) => spellings.length > 0), highest };
}

function weighedSpelling(terms: ReadonlyMap<Term, number>, passages: number, passagesWith: PassagesWith) {
  const factors = new Map<Term, number>();
  let highest = 0;
  for (const [term, weight] of terms) {
    const found = passagesWith(term);
    const factor = weight * Math.log(1 + (passages - found + 0.5) / (found + 0.5)) * (K1 + 1);
    highest += factor;
    if (found > 0) factors.set(term, factor);
  }
  return { factors, highest };
}

/** Scores of a segment's passages: of each word, that of the spelling which fits a passage best. */
export function termScores(words: readonly WeighedWord[], segment: Segment, meanLength: number): Float32Array {
  const scores = new Float32Array(segment.passageCount);
  for (const spellings of words) {
    const [only, ...others] = spellings;
    if (only !== undefined && others.length === 0) {
      addScores(scores, only, segment, meanLength);
      continue;
    }
    const best = new Float32Array(segment.passageCount);
    for (const spelling of spellings) {
      const own = new Float32Array(segment.passageCount);
      addScores(own, spelling, segment, meanLength);
      for (let passage = 0; passage < own.length; passage++) best[passage] = Math.max(best[passage]!, own[passage]!);
    }
    for (let passage = 0; passage < best.length; passage++) scores[passage]! += best[passage]!;
  }
  return scores;
}

function addScores(scores: Float32Array, { factors, scale }: Spelling, segment: Segment, meanLength: number): void {
  for (const [term, factor] of factors)
    segment.eachPosting(term, (passage, count) => {
      const length = segment.lengthOf(passage) / meanLength;
      scores[passage]! += (scale * factor * count) / (count + K1 * (1 - B + B * length));
    });
}
