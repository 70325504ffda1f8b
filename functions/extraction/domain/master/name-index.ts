import { toJamo } from '../text/jamo.ts';
import { foldListedName, nameSimilarity, strengthsAgree } from './drug-name.ts';
import { foldName, partsOf } from './name-parts.ts';

const BUCKETS = 1 << 16;
/** Brand and strength are in the first letters; what follows is shared by every drug of the same ingredient. */
const INDEXED_LETTERS = 36;
/** Postings read per query, rarest grams first: bounds the time of any query. */
const POSTING_BUDGET = 15_000;
const CANDIDATES = 24;
/** Names that share less than this part of what the best candidate shares are not compared. */
const WORTH_RANKING = 0.3;
/** A wrong strength is a wrong drug, yet the best guess where the strength itself was misread. */
const STRENGTH_PENALTY = 0.15;

export interface NameMatch {
  /** Position in the list given to the constructor. */
  readonly index: number;
  /** 0 to 1. */
  readonly score: number;
}

/** Finds the names nearest to a misread one: trigrams of jamo propose candidates, the edit distance ranks them. */
export class NameIndex {
  readonly #names: readonly string[];
  /** `#postings[#offsets[g] .. #offsets[g + 1]]` are the names that hold gram g. */
  readonly #offsets = new Uint32Array(BUCKETS + 1);
  readonly #postings: Uint32Array;

  constructor(names: readonly string[]) {
    this.#names = names;
    const gramsOfNames = names.map((name) => gramsOf(foldName(name.slice(0, INDEXED_LETTERS))));
    for (const grams of gramsOfNames) for (const gram of grams) this.#offsets[gram + 1]!++;
    for (let gram = 0; gram < BUCKETS; gram++) this.#offsets[gram + 1]! += this.#offsets[gram]!;
    this.#postings = new Uint32Array(this.#offsets[BUCKETS]!);
    const next = this.#offsets.slice();
    gramsOfNames.forEach((grams, index) => {
      for (const gram of grams) this.#postings[next[gram]!++] = index;
    });
  }

  /** Names at least `minScore` near to `name`, best first. */
  nearest(name: string, limit: number, minScore: number): readonly NameMatch[] {
    const print = foldName(partsOf(name).bare);
    if (print.length < 2) return [];
    return this.#candidates(print)
      .map((index) => {
        const listed = foldListedName(this.#names[index]!);
        const penalty = strengthsAgree(print, listed.core) ? 0 : STRENGTH_PENALTY;
        return { index, score: nameSimilarity(print, listed) - penalty };
      })
      .filter(({ score }) => score >= minScore)
      .sort((a, b) => b.score - a.score || a.index - b.index)
      .slice(0, limit);
  }

  #candidates(print: string): readonly number[] {
    const shared = new Float32Array(this.#names.length);
    const touched: number[] = [];
    let most = 0;
    const count = (gram: number) => this.#offsets[gram + 1]! - this.#offsets[gram]!;
    let budget = POSTING_BUDGET;
    for (const gram of gramsOf(print).sort((a, b) => count(a) - count(b))) {
      budget -= count(gram);
      if (budget < 0 && touched.length > 0) break;
      // A rare gram says more than a common one.
      const weight = 1 / Math.log2(2 + count(gram));
      for (let i = this.#offsets[gram]!; i < this.#offsets[gram + 1]!; i++) {
        const index = this.#postings[i]!;
        if (shared[index] === 0) touched.push(index);
        shared[index]! += weight;
        most = Math.max(most, shared[index]!);
      }
    }
    return touched
      .filter((index) => shared[index]! >= most * WORTH_RANKING)
      .sort((a, b) => shared[b]! - shared[a]!)
      .slice(0, CANDIDATES);
  }
}

/** Distinct hashes of three neighbouring letters, each below BUCKETS. */
function gramsOf(foldedName: string): number[] {
  const letters = toJamo(foldedName).subarray(0, INDEXED_LETTERS);
  const grams = new Set<number>();
  for (let i = 0; i + 2 < letters.length; i++) {
    const hash = Math.imul(Math.imul(letters[i]!, 31) + letters[i + 1]!, 31) + letters[i + 2]!;
    grams.add((Math.imul(hash, 0x9e3779b1) >>> 16) & (BUCKETS - 1));
  }
  return [...grams];
}
