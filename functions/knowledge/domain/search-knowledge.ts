import { type Embeddings, vectorModel } from './embeddings.ts';
import { type BaseId, versionOf } from './knowledge-base.ts';
import type { IndexEntries, KnowledgeIndexes, Segments } from './knowledge-ports.ts';
import type { KnowledgeHit, KnowledgeQuery, KnowledgeSearch } from './knowledge-search.ts';
import { type IndexView, type QuestionVector, rankByTerms, rankByTermsAndVectors } from './rank.ts';
import type { Segment } from './segment.ts';

export interface SearchPorts {
  readonly indexes: KnowledgeIndexes;
  readonly segments: Segments;
  readonly embeddings: Embeddings;
  /** Called when a question has no vector: the base is searched by terms alone. */
  readonly onWithoutVectors: (base: BaseId, error: unknown) => void;
}

/** A segment that is gone was replaced by another one, which the index names when it is read again. */
const MAX_READS = 4;
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
  if (questions.length === 0) return rankByTerms(query, views, limit);
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
  // The model of the vectors is asked while the segments are loaded.
  const asking = vectorOf(base, entries, query, signal, ports);
  const view = await viewOf(base, entries, ports);
  const vector = await asking;
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

/** Versions of documents with a later one present: an index may be read during a replacement. */
function replacedIn(segments: readonly Segment[]): string[] {
  const indexIds = segments.flatMap((segment) => [...segment.documents].map(({ documentId }) => documentId));
  const later = new Map<string, number>();
  for (const indexId of indexIds) {
    const { documentId, version } = versionOf(indexId);
    if (version > (later.get(documentId) ?? 0)) later.set(documentId, version);
  }
  return indexIds.filter((indexId) => {
    const { documentId, version } = versionOf(indexId);
    return version < later.get(documentId)!;
  });
}

async function viewOf(
  base: BaseId,
  first: IndexEntries,
  { indexes, segments }: SearchPorts,
): Promise<IndexView | null> {
  let entries: IndexEntries | null = first;
  for (let read = 1; ; read++) {
    if (entries === null) return null;
    const loaded = await Promise.all(entries.segments.map(({ segmentId }) => segments.get(base, segmentId)));
    if (loaded.every((segment): segment is Segment => segment !== null)) {
      const removed = entries.removed.map(({ documentId }) => documentId);
      return { baseId: base.baseId, segments: loaded, removed: new Set([...removed, ...replacedIn(loaded)]) };
    }
    if (read === MAX_READS) throw new Error(`The index of base ${base.baseId} names a segment that is not there.`);
    entries = await indexes.read(base);
  }
}
