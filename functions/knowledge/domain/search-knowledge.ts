import { type Embeddings, vectorModel } from './embeddings.ts';
import { type IndexView, type IndexViewPorts, indexView } from './index-view.ts';
import type { BaseId } from './knowledge-base.ts';
import type { IndexEntries } from './knowledge-ports.ts';
import type { KnowledgeHit, KnowledgeQuery, KnowledgeSearch } from './knowledge-search.ts';
import { COMPARED_HITS, rankByMeaning } from './meaning/rank-by-meaning.ts';
import type { SubwordVectors } from './meaning/subword-vectors.ts';
import { type QuestionVector, rankByTerms, rankByTermsAndVectors } from './rank.ts';

export interface SearchPorts extends IndexViewPorts {
  readonly embeddings: Embeddings;
  /** For bases without an embedding model. */
  readonly subwordVectors: () => Promise<SubwordVectors>;
  /** Called when a question has no vector: the base is searched by terms alone. */
  readonly onWithoutVectors: (base: BaseId, error: unknown) => void;
}

/** A question waits no longer for its vector. */
const QUESTION_TIMEOUT_MS = 5_000;

/** Searches the current indexes of bases: documents removed before a search give no hits in it. */
export function knowledgeSearch(ports: SearchPorts): KnowledgeSearch {
  return { search: (query) => searchKnowledge(query, ports) };
}

async function searchKnowledge(
  { workspaceId, baseIds, query, limit, signal }: KnowledgeQuery,
  ports: SearchPorts,
): Promise<readonly KnowledgeHit[]> {
  const found = await Promise.all(
    [...new Set(baseIds)].map((baseId) => baseOf({ workspaceId, baseId }, query, signal, ports)),
  );
  signal?.throwIfAborted();
  const bases = found.filter((base) => base !== null);
  const views = bases.map(({ view }) => view);
  const questions = bases.flatMap(({ question }) => question ?? []);
  if (questions.length === 0) {
    const hits = rankByTerms(query, views, Math.max(limit, COMPARED_HITS));
    return hits.length === 0 ? [] : rankByMeaning(query, hits, await ports.subwordVectors()).slice(0, limit);
  }
  return rankByTermsAndVectors(query, views, questions, limit);
}

interface SearchedBase {
  readonly view: IndexView;
  readonly question: QuestionVector | null;
}

async function baseOf(
  base: BaseId,
  query: string,
  signal: AbortSignal | undefined,
  ports: SearchPorts,
): Promise<SearchedBase | null> {
  const entries = await ports.indexes.read(base);
  if (entries === null) return null;
  const [view, vector] = await Promise.all([
    indexView(base, entries, ports),
    vectorOf(base, entries, query, signal, ports),
    // Loaded meanwhile by the first search.
    entries.embedding === null && ports.subwordVectors(),
  ]);
  if (view === null) return null;
  return { view, question: vector && { view, ...vector } };
}

async function vectorOf(
  base: BaseId,
  { embedding, segments }: IndexEntries,
  query: string,
  signal: AbortSignal | undefined,
  { embeddings, onWithoutVectors }: SearchPorts,
): Promise<Omit<QuestionVector, 'view'> | null> {
  if (embedding === null || segments.length === 0) return null;
  const timeout = AbortSignal.timeout(QUESTION_TIMEOUT_MS);
  const limited = signal ? AbortSignal.any([signal, timeout]) : timeout;
  try {
    const [vector] = await embeddings.embed({ base, config: embedding }, [query], 'question', limited);
    return { model: vectorModel(embedding), vector: vector! };
  } catch (error) {
    // Terms find most of it: an answer from them is better than none.
    if (!signal?.aborted) onWithoutVectors(base, error);
    return null;
  }
}
