import { gunzipSync, gzipSync } from 'node:zlib';
import { MAX_RETENTION_DAYS } from '../../accounts/domain/data-settings.ts';
import type { EngineEvent } from '../../workflows/domain/engine/engine-events.ts';
import type { Graph } from '../../workflows/domain/graph/graph.ts';
import type { RunHead } from '../../workflows/domain/run/run.ts';
import { epochSeconds, runEntryKey, runKey } from '../dynamodb/keys.ts';
import type { Item, Key } from '../dynamodb/table.ts';

/** Smaller texts are stored as they are. */
const MIN_PACKED_LENGTH = 4_096;
/** An item has at most 400 KB. */
export const MAX_ENTRY_BYTES = 350_000;
const DAY_SECONDS = 24 * 60 * 60;
/** A run may wait for a week before it ends: its records are kept that much longer, unless its end says otherwise. */
const WAIT_DAYS = 10;

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
  const { workspaceId, runId, createdAtMs, keptDays } = head;
  return {
    ...head,
    ...runKey(workspaceId, runId),
    ...(fence !== null && { owner: fence }),
    changes: 0,
    expiresAt: expiryOf(createdAtMs, keptDays),
  };
}

export function headOf(item: HeadItem): RunHead {
  const { workspaceId, runId, workflowId, workflowVersion, trigger, status, createdAtMs, finishedAtMs } = item;
  const { leaseUntilMs, dueAtMs, requeues, cancelledBy, decisions, ending, keptDays, formKey } = item;
  return {
    ...{ workspaceId, runId, workflowId, workflowVersion, trigger, status, createdAtMs, finishedAtMs },
    ...{ leaseUntilMs, dueAtMs, requeues, cancelledBy, decisions, ending },
    ...(keptDays !== undefined && { keptDays }),
    ...(formKey !== undefined && { formKey }),
  };
}

/** The items of some events, several where they are too large for one. */
export function entryItems(
  { workspaceId, runId, keptDays }: Pick<RunHead, 'workspaceId' | 'runId' | 'keptDays'>,
  entry: number,
  events: readonly EngineEvent[],
  { fence, graph, atMs }: { readonly fence: string | null; readonly graph?: Graph; readonly atMs: number },
): readonly (Item & EntryItem)[] {
  const content = packed(events);
  if (content.length > MAX_ENTRY_BYTES && events.length > 1) {
    const half = events.length >> 1;
    const id = { workspaceId, runId, ...(keptDays !== undefined && { keptDays }) };
    const first = entryItems(id, entry, events.slice(0, half), {
      fence,
      atMs,
      ...(graph && { graph }),
    });
    return [...first, ...entryItems(id, entry + first.length, events.slice(half), { fence, atMs })];
  }
  return [
    {
      ...runEntryKey(workspaceId, runId, entry),
      events: content,
      ...(graph && { graph: packed(graph) }),
      owner: fence,
      expiresAt: expiryOf(atMs, keptDays),
    },
  ];
}

export function expiryOf(createdAtMs: number, keptDays = MAX_RETENTION_DAYS): number {
  return epochSeconds(createdAtMs) + (keptDays + WAIT_DAYS) * DAY_SECONDS;
}
