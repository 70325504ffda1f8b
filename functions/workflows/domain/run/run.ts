import type { Lease } from '../../../shared/leases/lease.ts';
import type { Cost, DecisionKind, EngineEvent, Failure } from '../engine/engine-events.ts';
import type { Graph, JsonObject } from '../graph/graph.ts';

export interface RunId {
  readonly workspaceId: string;
  readonly runId: string;
}

/** `untilMs`: epoch time at which it expires. `keptDays`: of the run. */
export type RunLease = Lease<RunId> & { readonly untilMs: number; readonly keptDays?: number };

/** The trigger of a run. */
export interface RunTrigger {
  readonly kind: 'api' | 'chat' | 'workflow' | 'evaluation' | 'schedule' | 'webhook' | 'event';
  readonly caller: {
    readonly kind: 'user' | 'key' | 'public-token' | 'channel' | 'trigger';
    readonly id: string;
  };
  /** Of a schedule: the minute for which the run was planned. */
  readonly plannedAtMs?: number;
  /** The run whose outputs it has taken over. */
  readonly retryOf?: string;
  /** Of a chat: whose model answers where an agent names none. */
  readonly applicationId: string | null;
  readonly sessionId: string | null;
  /** Of a chat: where answers go that the run gives after the end of its request; absent: nowhere. */
  readonly conversation?: RunConversation;
  /** Of a run that a node of another run has started: how many are around it. */
  readonly depth?: number;
  /** The workflows of those, where one limits its runs: a run within a run of its own workflow needs no second place. */
  readonly around?: readonly string[];
  /** The run that no other run has started, with all of these in it. */
  readonly root?: string;
}

/** The conversation that a run answers in. */
export interface RunConversation {
  /** Of the message that has started the run. */
  readonly turnId: string;
  /** Whether later answers are added to the history of the session. */
  readonly isKept: boolean;
  /** Where the message came from, in the terms of the channel; absent: from no channel. */
  readonly origin?: JsonObject;
}

/** A decision of a person, as it waits to be taken up by the run; or the end of the time for it, after which none is taken. */
export interface Decision {
  readonly decision: DecisionKind | 'expired';
  /** Of a form. */
  readonly values?: JsonObject;
  /** Of a form with actions: the chosen one. */
  readonly action?: string;
  readonly by: string;
  readonly comment: string;
  readonly atMs: number;
}

export interface RunEnding {
  readonly status: 'succeeded' | 'failed' | 'cancelled';
  readonly failure: (Failure & { readonly nodeId: string | null }) | null;
  readonly cost: Cost;
}

/** Of the runs in line for their workflow, the highest go first, and of equal ones the oldest. */
export const PRIORITIES = ['high', 'normal', 'low'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** The state of a run. 'queued': it continues as soon as a worker takes it, and its workflow has a place; 'running': a function has its lease; 'waiting': for people. */
export interface RunHead extends RunId {
  readonly workflowId: string;
  /** Number of the published version; null: the draft. */
  readonly workflowVersion: number | null;
  readonly trigger: RunTrigger;
  readonly status: 'queued' | 'running' | 'waiting' | RunEnding['status'];
  readonly createdAtMs: number;
  readonly finishedAtMs: number | null;
  readonly leaseUntilMs: number;
  /** When the reconciler checks it, unless it has continued by itself: for a waiting one, the end of its wait. */
  readonly dueAtMs: number;
  readonly requeues: number;
  readonly cancelledBy: string | null;
  /** By the key of the node. */
  readonly decisions: Readonly<Record<string, Decision>>;
  readonly ending: RunEnding | null;
  /** Days for which it is kept; absent: 30. */
  readonly keptDays?: number;
  /** Runs of the workflow that may be in progress at once; absent: any number. */
  readonly maxRuns?: number;
  /** Absent: normal. */
  readonly priority?: Priority;
  /** Of a run with approvals or forms: what proves the links to them. */
  readonly formKey?: string;
  /** Answers that the conversation has; absent until the request of the run has ended before the run. */
  readonly said?: number;
}

/** A run with everything that has happened to it. */
export interface RecordedRun {
  readonly head: RunHead;
  /** As it was when the run started: changes of the workflow do not concern it. */
  readonly graph: Graph;
  readonly events: readonly EngineEvent[];
  /** Number of the next entry of the record. */
  readonly nextEntry: number;
}

export const RUN_KEPT_SECONDS = 30 * 24 * 60 * 60;
/** A message that has not arrived after so long is sent again. */
export const QUEUED_GRACE_MS = 2 * 60_000;

export function hasEnded({ status }: Pick<RunHead, 'status'>): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'cancelled';
}
