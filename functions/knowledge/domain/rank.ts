import { askedWords } from './asked-words.ts';
import type { IndexView } from './index-view.ts';
import { versionOf } from './knowledge-base.ts';
import type { KnowledgeHit } from './knowledge-search.ts';
import type { Segment } from './segment.ts';
import { memoizedCount, termScores, weighedWords } from './term-scores.ts';

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

/** The best passages for a question, each word of it in the spelling that a passage has. */
function bestByTerms(query: string, views: readonly IndexView[], limit: number): readonly Candidate[] {
  const segments = views.flatMap((view) => view.segments.map((segment) => ({ view, segment })));
  const passages = segments.reduce((sum, { segment }) => sum + segment.passageCount, 0);
  if (passages === 0) return [];
  const passagesWith = memoizedCount(segments.map(({ segment }) => segment));
  const { words, highest } = weighedWords(askedWords(query, passagesWith), passages, passagesWith);
  if (words.length === 0) return [];
  const meanLength = segments.reduce((sum, { segment }) => sum + segment.termCount, 0) / passages;
  const best = new Best(limit);
  for (const { view, segment } of segments) {
    const scores = termScores(words, segment, meanLength);
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
