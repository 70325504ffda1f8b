import { gunzipSync, gzipSync } from 'node:zlib';
import type { EngineEvent } from '../../workflows/domain/engine/engine-events.ts';
import type { Graph } from '../../workflows/domain/graph/graph.ts';
import { RUN_KEPT_SECONDS, type RunHead } from '../../workflows/domain/run/run.ts';
import { epochSeconds, runEntryKey, runKey } from '../dynamodb/keys.ts';
import type { Item, Key } from '../dynamodb/table.ts';

/** Smaller texts are stored as they are. */
const MIN_PACKED_LENGTH = 4_096;
/** An item has at most 400 KB. */
export const MAX_ENTRY_BYTES = 350_000;
/** What belongs to a run expires after it: it may wait for a week before it ends. */
const KEPT_SECONDS = RUN_KEPT_SECONDS + 10 * 24 * 60 * 60;

export interface EntryItem extends Key {
  readonly events: string | Uint8Array;
  readonly graph?: string | Uint8Array;
  readonly owner: string | null;
}

/** `changes`: how often others than the holder of its lease have changed it. */
export type HeadItem = RunHead & { readonly expiresAt: number; readonly changes: number };

export function packed(value: object): string | Uint8Array {
  const text = JSON.stringify(value);
  return text.length < MIN_PACKED_LENGTH ? text : gzipSync(text);
}

export function unpacked<T>(stored: string | Uint8Array): T {
  return JSON.parse(typeof stored === 'string' ? stored : gunzipSync(stored).toString()) as T;
}

export function headItem(head: RunHead, fence: string | null): Item & Key {
  const { workspaceId, runId, createdAtMs } = head;
  return {
    ...head,
    ...runKey(workspaceId, runId),
    ...(fence !== null && { owner: fence }),
    changes: 0,
    expiresAt: expiryOf(createdAtMs),
  };
}

export function headOf(item: HeadItem): RunHead {
  const { workspaceId, runId, workflowId, workflowVersion, trigger, status, createdAtMs, finishedAtMs } = item;
  const { leaseUntilMs, dueAtMs, requeues, cancelledBy, decisions, ending } = item;
  return {
    ...{ workspaceId, runId, workflowId, workflowVersion, trigger, status, createdAtMs, finishedAtMs },
    ...{ leaseUntilMs, dueAtMs, requeues, cancelledBy, decisions, ending },
  };
}

/** The items of some events, several where they are too large for one. */
export function entryItems(
  { workspaceId, runId }: Pick<RunHead, 'workspaceId' | 'runId'>,
  entry: number,
  events: readonly EngineEvent[],
  { fence, graph, atMs }: { readonly fence: string | null; readonly graph?: Graph; readonly atMs: number },
): readonly (Item & EntryItem)[] {
  const content = packed(events);
  if (content.length > MAX_ENTRY_BYTES && events.length > 1) {
    const half = events.length >> 1;
    const first = entryItems({ workspaceId, runId }, entry, events.slice(0, half), {
      fence,
      atMs,
      ...(graph && { graph }),
    });
    return [...first, ...entryItems({ workspaceId, runId }, entry + first.length, events.slice(half), { fence, atMs })];
  }
  return [
    {
      ...runEntryKey(workspaceId, runId, entry),
      events: content,
      ...(graph && { graph: packed(graph) }),
      owner: fence,
      expiresAt: expiryOf(atMs),
    },
  ];
}

export function expiryOf(createdAtMs: number): number {
  return epochSeconds(createdAtMs) + KEPT_SECONDS;
}
