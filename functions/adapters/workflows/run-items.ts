import { MAX_RETENTION_DAYS } from '../../accounts/domain/data-settings.ts';
import type { EngineEvent } from '../../workflows/domain/engine/engine-events.ts';
import type { Graph } from '../../workflows/domain/graph/graph.ts';
import type { RunHead } from '../../workflows/domain/run/run.ts';
import { epochSeconds, runEntryKey, runKey } from '../dynamodb/keys.ts';
import type { Item, Key } from '../dynamodb/table.ts';
import { type KeptEvents, packed, type RunContents } from './run-contents.ts';

const DAY_SECONDS = 24 * 60 * 60;
/** A run may wait for a week before it ends: its records are kept that much longer, unless its end says otherwise. */
const WAIT_DAYS = 10;

export interface EntryItem extends Key {
  readonly events: KeptEvents;
  readonly graph?: string | Uint8Array;
  readonly owner: string | null;
}

/** `changes`: how often others than the holder of its lease have changed it. */
export type HeadItem = RunHead & { readonly expiresAt: number; readonly changes: number };

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
  const {
    leaseUntilMs,
    dueAtMs,
    requeues,
    cancelledBy,
    decisions,
    ending,
    keptDays,
    formKey,
    maxRuns,
    priority,
    said,
  } = item;
  return {
    ...{ workspaceId, runId, workflowId, workflowVersion, trigger, status, createdAtMs, finishedAtMs },
    ...{ leaseUntilMs, dueAtMs, requeues, cancelledBy, decisions, ending },
    ...(keptDays !== undefined && { keptDays }),
    ...(formKey !== undefined && { formKey }),
    ...(maxRuns !== undefined && { maxRuns }),
    ...(priority !== undefined && { priority }),
    ...(said !== undefined && { said }),
  };
}

/** The item of some events. The object of large ones is named after its writer: a function that has lost the lease overwrites nothing. */
export async function entryItem(
  { workspaceId, runId, keptDays }: Pick<RunHead, 'workspaceId' | 'runId' | 'keptDays'>,
  entry: number,
  events: readonly EngineEvent[],
  { fence, graph, atMs }: { readonly fence: string | null; readonly graph?: Graph; readonly atMs: number },
  contents: RunContents,
): Promise<Item & EntryItem> {
  return {
    ...runEntryKey(workspaceId, runId, entry),
    events: await contents.keep(`${workspaceId}/${runId}/${entry}-${fence ?? 'begun'}`, events),
    ...(graph && { graph: packed(graph) }),
    owner: fence,
    expiresAt: expiryOf(atMs, keptDays),
  };
}

export function expiryOf(createdAtMs: number, keptDays = MAX_RETENTION_DAYS): number {
  return epochSeconds(createdAtMs) + (keptDays + WAIT_DAYS) * DAY_SECONDS;
}
