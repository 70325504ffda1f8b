import { chunks } from '../../shared/chunks.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import type { BaseId } from './knowledge-base.ts';
import type {
  CleaningLease,
  CleaningState,
  KnowledgeBases,
  KnowledgeCleaning,
  KnowledgeUploads,
  SegmentEntry,
  SegmentMaker,
  SegmentNote,
  SegmentObjects,
  Segments,
} from './knowledge-ports.ts';
import type { Segment } from './segment.ts';

export interface CleanPorts {
  readonly bases: Pick<KnowledgeBases, 'find'>;
  readonly cleaning: KnowledgeCleaning;
  readonly segments: Segments;
  readonly objects: SegmentObjects;
  readonly uploads: Pick<KnowledgeUploads, 'remove'>;
  readonly maker: Pick<SegmentMaker, 'merge'>;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Number of similar-sized segments that are merged: a passage is rewritten only as often as its base grows eightfold. */
const SEGMENTS_PER_TIER = 8;
const SMALLEST_TIER = 64;
/** Segments with this number of passages are not merged. */
const MAX_MERGED_PASSAGES = 8_000;
/** A segment with so large a share of removed documents is made again at once; any other after an hour. */
const MAX_REMOVED_SHARE = 1 / 8;
const MAX_REMOVED_MS = 60 * 60_000;
/** A transaction takes a hundred writes. */
const MAX_GROUP = 24;
const OBJECTS_AT_ONCE = 16;
/** Longer than any run that stores a segment takes: nothing will come of a note that is older. */
const NOTE_MS = 15 * 60_000;

/**
 * Keeps the index of a base small in number of segments and free of removed documents, and removes stored segments that are
 * in no index. What a crash leaves undone, the next run does.
 * @param deadlineMs epoch time at which this run ends for certain.
 */
export async function cleanBase(base: BaseId, deadlineMs: number, ports: CleanPorts): Promise<void> {
  const { cleaning, ids, clock } = ports;
  if ((await ports.bases.find(base)) === null) {
    const originals = await cleaning.originals(base);
    for (const some of chunks(originals, OBJECTS_AT_ONCE))
      await Promise.all(some.map((key) => ports.uploads.remove(key)));
    await removeNoted(base, await cleaning.strip(base), ports);
    return;
  }
  const lease: CleaningLease = { ...base, fence: ids.next('run') };
  const state = await cleaning.acquire(lease, clock.now(), deadlineMs);
  if (state === null) return;
  try {
    for (const group of mergesOf(state, clock.now())) if (!(await merge(lease, group, state, ports))) return;
    const held = new Set([...state.contents.values()].flat());
    const gone = state.removed.filter(({ documentId }) => !held.has(documentId)).map(({ documentId }) => documentId);
    if (gone.length > 0) await cleaning.forgetRemoved(lease, gone);
    await removeNoted(base, state.notes, ports);
  } finally {
    await cleaning.release(lease);
  }
}

/** Groups of segments that are to become one each: those with removed documents by themselves, small ones together. */
export function mergesOf(state: CleaningState, nowMs: number): readonly (readonly SegmentEntry[])[] {
  const removedAt = new Map(state.removed.map(({ documentId, removedAtMs }) => [documentId, removedAtMs]));
  const groups: SegmentEntry[][] = [];
  const tiers = new Map<number, SegmentEntry[]>();
  for (const segment of state.segments) {
    const documents = state.contents.get(segment.segmentId) ?? [];
    const removed = documents.flatMap((documentId) => removedAt.get(documentId) ?? []);
    const isDue =
      removed.length >= documents.length * MAX_REMOVED_SHARE || removed.some((atMs) => atMs + MAX_REMOVED_MS <= nowMs);
    if (removed.length > 0 && isDue) groups.push([segment]);
    else if (segment.passages < MAX_MERGED_PASSAGES / 2)
      tiers.set(tierOf(segment), [...(tiers.get(tierOf(segment)) ?? []), segment]);
  }
  for (const tier of tiers.values())
    if (tier.length >= SEGMENTS_PER_TIER) groups.push(...packed(tier).filter(({ length }) => length > 1));
  return groups;
}

function tierOf({ passages }: SegmentEntry): number {
  return Math.max(0, Math.floor(Math.log(passages / SMALLEST_TIER) / Math.log(SEGMENTS_PER_TIER)) + 1);
}

/** Segments in groups, none of more passages than a merged segment may have. */
function packed(segments: readonly SegmentEntry[]): SegmentEntry[][] {
  const groups: SegmentEntry[][] = [];
  let passages = Number.POSITIVE_INFINITY;
  for (const segment of segments.toSorted((a, b) => a.passages - b.passages)) {
    if (passages + segment.passages > MAX_MERGED_PASSAGES || groups.at(-1)!.length === MAX_GROUP) {
      groups.push([]);
      passages = 0;
    }
    groups.at(-1)!.push(segment);
    passages += segment.passages;
  }
  return groups;
}

/** @returns false when another run has taken over. */
async function merge(
  lease: CleaningLease,
  group: readonly SegmentEntry[],
  { removed }: CleaningState,
  { segments, objects, maker, cleaning, clock, ids }: CleanPorts,
): Promise<boolean> {
  const loaded = await Promise.all(group.map(({ segmentId }) => segments.get(lease, segmentId)));
  // One that is not there was replaced by another run.
  if (!loaded.every((segment): segment is Segment => segment !== null)) return false;
  const without = new Set(removed.map(({ documentId }) => documentId));
  const documents = loaded.flatMap((segment) => segment.documents).filter(({ documentId }) => !without.has(documentId));
  const bytes = await maker.merge(loaded, without, { tenant: lease.workspaceId });
  const replaced = group.map(({ segmentId }) => segmentId);
  if (bytes === null) return cleaning.swap(lease, { replaced, merged: null }, clock.now());
  const merged = {
    segmentId: ids.next('seg'),
    bytes: bytes.byteLength,
    passages: documents.reduce((sum, { passages }) => sum + passages, 0),
    documentIds: documents.map(({ documentId }) => documentId),
  };
  await cleaning.noteSegment(lease, merged.segmentId, clock.now());
  await objects.put(lease, merged.segmentId, bytes);
  return cleaning.swap(lease, { replaced, merged }, clock.now());
}

/** Removes the objects of old notes: nothing will come of them. */
async function removeNoted(
  base: BaseId,
  notes: readonly SegmentNote[],
  { objects, cleaning, clock }: Pick<CleanPorts, 'objects' | 'cleaning' | 'clock'>,
): Promise<void> {
  const old = notes.filter(({ notedAtMs }) => notedAtMs + NOTE_MS <= clock.now()).map(({ segmentId }) => segmentId);
  if (old.length === 0) return;
  await objects.remove(base, old);
  await cleaning.forgetNotes(base, old);
}
