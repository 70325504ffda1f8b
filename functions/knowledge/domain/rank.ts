import { versionOf } from './knowledge-base.ts';
import type { KnowledgeHit } from './knowledge-search.ts';
import type { Segment } from './segment.ts';
import { otherSpellings } from './spellings.ts';
import { questionTerms, type Term } from './terms.ts';

/** The current index of a base: its segments, and the removed documents in them. */
export interface IndexView {
  readonly baseId: string;
  readonly segments: readonly Segment[];
  readonly removed: ReadonlySet<string>;
}

/** Parameters of BM25: how soon a term's repetition counts no more, and how much long passages are discounted. */
const K1 = 1.2;
const B = 0.5;
interface Candidate {
  readonly view: IndexView;
  readonly segment: Segment;
  readonly passage: number;
  readonly score: number;
}

/** The passages of several bases that fit a query best, by BM25 over all of them together. */
export function rankByTerms(query: string, views: readonly IndexView[], limit: number): readonly KnowledgeHit[] {
  return withoutRepetitions(bestByTerms(query, views, limit).map(hitOf));
}

/** A question as the model of a base's vectors sees it. */
export interface QuestionVector {
  readonly view: IndexView;
  readonly model: string;
  readonly vector: Float32Array;
}

/** Number of candidates of each ranking that are fused: one far down in both is not a hit. */
const FUSED_CANDIDATES = 50;
/** Constant of reciprocal rank fusion, as its authors chose it (Cormack, Clarke and Büttcher, 2009). */
const RRF_K = 60;

/** The passages that fit best by terms, and by the vectors of the bases that have some, by reciprocal rank fusion of all rankings. */
export function rankByTermsAndVectors(
  query: string,
  views: readonly IndexView[],
  questions: readonly QuestionVector[],
  limit: number,
): readonly KnowledgeHit[] {
  const candidates = Math.max(limit, FUSED_CANDIDATES);
  const rankings = [
    bestByTerms(query, views, candidates),
    ...questions.map((question) => bestByVector(question, candidates)),
  ].map((ranking, index) => withoutRepetitions(ranking.map(index === 0 ? hitOf : hitOfVector)));
  const fused = new Map<string, { readonly hit: KnowledgeHit; score: number }>();
  for (const ranking of rankings)
    for (const [rank, hit] of ranking.entries()) {
      const key = identityOf(hit);
      const known = fused.get(key) ?? { hit, score: 0 };
      known.score += 1 / (RRF_K + rank + 1);
      fused.set(key, known);
    }
  // First in the ranking by terms and in that of one model.
  const highest = 2 / (RRF_K + 1);
  return [...fused.values()]
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ hit, score }) => ({ ...hit, score: rounded(Math.min(1, score / highest)) }));
}

function bestByVector({ view, model, vector }: QuestionVector, limit: number): readonly Candidate[] {
  const best = new Best(limit);
  for (const segment of view.segments) {
    const { vectors } = segment;
    if (vectors?.model !== model || vectors.dimensions !== vector.length) continue;
    const { dimensions, values } = vectors;
    for (let passage = 0; passage < segment.passageCount; passage++) {
      let score = 0;
      const from = passage * dimensions;
      for (let i = 0; i < dimensions; i++) score += values[from + i]! * vector[i]!;
      if (score <= best.threshold || view.removed.has(segment.documentOf(passage).documentId)) continue;
      best.add({ view, segment, passage, score });
      if (best.isFull) best.threshold = best.lowest;
    }
  }
  return best.sorted();
}

/** While segments are merged, an index can name both the old ones and the new one. */
function withoutRepetitions(hits: readonly KnowledgeHit[]): readonly KnowledgeHit[] {
  const seen = new Set<string>();
  return hits.filter((hit) => !seen.has(identityOf(hit)) && seen.add(identityOf(hit)));
}

const identityOf = ({ documentId, text }: KnowledgeHit): string => documentId + text;

const rounded = (score: number): number => Math.round(score * 1e4) / 1e4;

/** The best passages for a question in any spelling of its loanwords: each by its best score. */
function bestByTerms(query: string, views: readonly IndexView[], limit: number): readonly Candidate[] {
  const [own = [], ...others] = [query, ...otherSpellings(query)].map((each) => bestAsSpelled(each, views, limit));
  if (others.length === 0) return own;
  const seen = new Map<Segment, Set<number>>();
  const isNew = ({ segment, passage }: Candidate): boolean => {
    const passages = seen.get(segment) ?? new Set();
    seen.set(segment, passages);
    return !passages.has(passage) && passages.add(passage).size > 0;
  };
  return [...own, ...others.flat()]
    .sort((a, b) => b.score - a.score)
    .filter(isNew)
    .slice(0, limit);
}

function bestAsSpelled(query: string, views: readonly IndexView[], limit: number): readonly Candidate[] {
  const weights = questionTerms(query);
  const segments = views.flatMap((view) => view.segments.map((segment) => ({ view, segment })));
  const passages = segments.reduce((sum, { segment }) => sum + segment.passageCount, 0);
  if (weights.size === 0 || passages === 0) return [];
  const meanLength = segments.reduce((sum, { segment }) => sum + segment.termCount, 0) / passages;
  const factors = new Map<Term, number>();
  // What a passage would score that has every term, and has it so often that more of it would not count.
  let highest = 0;
  for (const [term, weight] of weights) {
    const found = segments.reduce((sum, { segment }) => sum + segment.passagesWith(term), 0);
    const factor = weight * Math.log(1 + (passages - found + 0.5) / (found + 0.5));
    highest += factor * (K1 + 1);
    if (found > 0) factors.set(term, factor);
  }
  const best = new Best(limit);
  for (const { view, segment } of segments) {
    const scores = new Float32Array(segment.passageCount);
    for (const [term, factor] of factors)
      segment.eachPosting(term, (passage, count) => {
        const length = segment.lengthOf(passage) / meanLength;
        scores[passage]! += (factor * (K1 + 1) * count) / (count + K1 * (1 - B + B * length));
      });
    for (let passage = 0; passage < scores.length; passage++) {
      const score = scores[passage]!;
      if (score <= best.threshold || view.removed.has(segment.documentOf(passage).documentId)) continue;
      best.add({ view, segment, passage, score: score / highest });
      if (best.isFull) best.threshold = best.lowest * highest;
    }
  }
  return best.sorted();
}

/** The candidates with the highest scores. */
class Best {
  readonly #limit: number;
  readonly #kept: Candidate[] = [];
  /** Raw score that a candidate must be above. */
  threshold = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.#kept.length === this.#limit;
  }

  get lowest(): number {
    return this.#kept.at(-1)!.score;
  }

  add(candidate: Candidate): void {
    const at = this.#kept.findIndex(({ score }) => score < candidate.score);
    if (at < 0) this.#kept.push(candidate);
    else this.#kept.splice(at, 0, candidate);
    if (this.#kept.length > this.#limit) this.#kept.pop();
  }

  sorted(): readonly Candidate[] {
    return this.#kept;
  }
}

const hitOfVector = (candidate: Candidate): KnowledgeHit => ({ ...hitOf(candidate), termShare: 0 });

function hitOf({ view, segment, passage, score }: Candidate): KnowledgeHit {
  const { documentId: indexId, title } = segment.documentOf(passage);
  const { documentId } = versionOf(indexId);
  const { text, heading, page } = segment.passage(passage);
  return {
    baseId: view.baseId,
    documentId,
    title,
    page,
    heading,
    score: rounded(score),
    termShare: rounded(score),
    text,
  };
}
