import type { KnowledgeHit } from '../knowledge-search.ts';
import type { SubwordVectors } from './subword-vectors.ts';

/** Number of hits by terms that are compared with the question's meaning: the right passage is nearly always among them. */
export const COMPARED_HITS = 50;

/** Weight of the meaning, where the best hit by terms has 1. Chosen on the tuning questions of `npm run bench sister-pages`. */
const MEANING_WEIGHT = 0.5;

/** Hits by terms in the order of terms and meaning together, with scores from 0 to 1 in that order. @param hits best first */
export function rankByMeaning(
  query: string,
  hits: readonly KnowledgeHit[],
  vectors: SubwordVectors,
): readonly KnowledgeHit[] {
  const best = hits[0]?.score ?? 0;
  const question = vectors.of(query);
  return hits
    .map((hit) => {
      const meaning = product(question, vectors.of([hit.title, ...hit.heading, hit.text].join('\n')));
      const score = (hit.score + MEANING_WEIGHT * best * meaning) / (1 + MEANING_WEIGHT);
      return { ...hit, score: Math.max(0, Math.round(score * 1e4) / 1e4) };
    })
    .sort((a, b) => b.score - a.score);
}

const product = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
