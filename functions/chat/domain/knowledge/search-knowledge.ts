import type { KnowledgeIndexes, Segments } from './knowledge-ports.ts';
import type { KnowledgeHit, KnowledgeQuery, KnowledgeSearch } from './knowledge-search.ts';
import { type IndexView, rankByTerms } from './rank.ts';
import type { Segment } from './segment.ts';

export interface SearchPorts {
  readonly indexes: KnowledgeIndexes;
  readonly segments: Segments;
}

/** A segment that is gone was replaced by another one, which the index names when it is read again. */
const MAX_READS = 4;

/** Searches the indexes of bases as they stand: what was removed before a search gives no hits in it. */
export function knowledgeSearch(ports: SearchPorts): KnowledgeSearch {
  return { search: (query) => searchKnowledge(query, ports) };
}

async function searchKnowledge(
  { workspaceId, baseIds, query, limit, signal }: KnowledgeQuery,
  ports: SearchPorts,
): Promise<readonly KnowledgeHit[]> {
  const views = await Promise.all([...new Set(baseIds)].map((baseId) => viewOf({ workspaceId, baseId }, ports)));
  signal?.throwIfAborted();
  return rankByTerms(
    query,
    views.filter((view) => view !== null),
    limit,
  );
}

async function viewOf(
  base: { readonly workspaceId: string; readonly baseId: string },
  { indexes, segments }: SearchPorts,
): Promise<IndexView | null> {
  for (let read = 1; ; read++) {
    const entries = await indexes.read(base);
    if (entries === null) return null;
    const loaded = await Promise.all(entries.segments.map(({ segmentId }) => segments.get(base, segmentId)));
    const removed = new Set(entries.removed.map(({ documentId }) => documentId));
    if (loaded.every((segment): segment is Segment => segment !== null))
      return { baseId: base.baseId, segments: loaded, removed };
    if (read === MAX_READS) throw new Error(`The index of base ${base.baseId} names a segment that is not there.`);
  }
}
