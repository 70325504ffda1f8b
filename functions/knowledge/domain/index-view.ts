import { type BaseId, versionOf } from './knowledge-base.ts';
import type { IndexEntries, KnowledgeIndexes, Segments } from './knowledge-ports.ts';
import type { Segment } from './segment.ts';

/** The current index of a base: its segments, and the removed documents in them. */
export interface IndexView {
  readonly baseId: string;
  readonly segments: readonly Segment[];
  readonly removed: ReadonlySet<string>;
}

export interface IndexViewPorts {
  readonly indexes: KnowledgeIndexes;
  readonly segments: Segments;
}

/** A segment that is gone was replaced by another one, which the index names when it is read again. */
const MAX_READS = 4;

/**
 * Loads the segments that an index names.
 * @param first the index as it was read.
 * @returns null when the base has gone.
 */
export async function indexView(
  base: BaseId,
  first: IndexEntries,
  { indexes, segments }: IndexViewPorts,
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
