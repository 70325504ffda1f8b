import type { DecisionNotice } from '../../../accounts/domain/decision-mail.ts';
import type { UsageEvent } from '../../../accounts/domain/usage.ts';
import type { EngineEvent } from '../engine/engine-events.ts';
import type { Graph } from '../graph/graph.ts';
import type { Decision, RecordedRun, RunEnding, RunHead, RunId, RunLease } from './run.ts';

export interface NewRun {
  readonly head: RunHead;
  readonly graph: Graph;
  readonly events: readonly EngineEvent[];
  /** Null: it is queued for a worker. */
  readonly lease: RunLease | null;
  /** Of a request with an Idempotency-Key. */
  readonly key?: RunKey | null;
}

/** An Idempotency-Key: it belongs to one workflow of a workspace, and is kept for 24 hours. */
export interface RunKey {
  readonly key: string;
  readonly bodyHash: string;
}

/** Another run was started with the key. */
export class RunKeyTaken extends Error {
  override name = 'RunKeyTaken';
}

/**
 * Runs and their records. A record is a list of entries with events, in the order in which they happened; an entry is
 * written once, by the holder of the run's lease. Reads are strongly consistent; runs older than 30 days are absent.
 */
export type ListedStatus = 'failed' | 'cancelled' | 'waiting';

export interface Runs {
  /** All of it or nothing. @throws RunKeyTaken */
  create(run: NewRun): Promise<void>;
  /** The run that was started with a key; null where none was, or 24 hours ago. */
  findByKey(
    workspaceId: string,
    workflowId: string,
    key: string,
  ): Promise<{ readonly runId: string; readonly bodyHash: string } | null>;
  find(id: RunId): Promise<RunHead | null>;
  read(id: RunId): Promise<RecordedRun | null>;
  /** Entries from a number on. */
  entriesFrom(
    id: RunId,
    entry: number,
  ): Promise<{ readonly events: readonly EngineEvent[]; readonly nextEntry: number }>;
  /** An id behind those of all runs that were started until then. */
  firstIdAfter(ms: number): string;
  /** Newest first. @param before only those older than the run of this id. */
  list(workspaceId: string, workflowId: string, limit: number, before: string | null): Promise<RunHead[]>;
  /** Of all workflows, newest first. @returns `last`: where the next page starts; null: this is the last one */
  listByStatus(
    workspaceId: string,
    status: ListedStatus,
    limit: number,
    before: string | null,
  ): Promise<{ readonly runs: readonly RunHead[]; readonly last: string | null }>;
}

/** A change of the number of answers that the conversation of a run has. */
export interface SaidChange {
  /** As it was read; null: the request of the run has not ended. */
  readonly before: number | null;
  readonly after: number | null;
}

/** The request of a run has ended meanwhile: answers that it has not shown are still to be said. */
export class SaidChanged extends Error {
  override name = 'SaidChanged';
}

/** The state after an entry: an end, or a rest until something is due. */
export type Rest =
  /** `usage`: counted in the same transaction; null where there is none. */
  | { readonly kind: 'ended'; readonly ending: RunEnding; readonly usage: UsageEvent | null; readonly atMs: number }
  /** `dueAtMs`: when the first wait is over. */
  | { readonly kind: 'waiting'; readonly dueAtMs: number }
  /** Continues as soon as a worker takes it. */
  | { readonly kind: 'queued'; readonly dueAtMs: number };

/** Changes of runs. Each is one request to the store, all of it or nothing. */
export interface RunLeases {
  /**
   * Takes the lease of one that is queued or waits, or whose lease has expired: a decision that came while another function
   * let go of the run is found so. @returns false when it has none to give.
   */
  acquire(lease: RunLease, nowMs: number): Promise<boolean>;
  /**
   * Adds an entry, and with it mails to send. @returns the number of the next one.
   * @throws LeaseLost when another run has written this one.
   */
  append(
    lease: RunLease,
    entry: number,
    events: readonly EngineEvent[],
    mails?: readonly DecisionNotice[],
  ): Promise<number>;
  /**
   * Adds an entry, unless there are no events, and gives the lease back.
   * @param said of a run whose later answers go to a conversation
   * @returns as `append`. @throws LeaseLost, SaidChanged
   */
  rest(
    lease: RunLease,
    entry: number,
    events: readonly EngineEvent[],
    rest: Rest,
    said?: SaidChange | null,
  ): Promise<number>;
  /**
   * Records that the request of a run ends before the run, with the answers that it has shown: later ones are said in the conversation.
   * @returns false if the run has ended.
   */
  leave(id: RunId, said: number): Promise<boolean>;
  /** Releases the lease: another worker may continue at once. Does nothing if it is lost. */
  release(lease: RunLease, dueAtMs: number): Promise<void>;
  /**
   * Requests the end. A run without a worker is queued for it.
   * @returns false if it has ended.
   */
  cancel(id: RunId, by: string, dueAtMs: number): Promise<boolean>;
  /** Adds a decision on a node; a waiting run is queued. @returns false when it has been decided before, or has ended. */
  decide(id: RunId, key: string, decision: Decision, dueAtMs: number): Promise<boolean>;
  /** Others' requests since. Eventually consistent: may be a second late. */
  requests(id: RunId): Promise<Pick<RunHead, 'cancelledBy' | 'decisions'> | null>;
  /** Has a run wait for its turn. @returns false when the run has changed since it was read. */
  line(seen: RunHead, dueAtMs: number): Promise<boolean>;
  /** Counts a further message. @returns false when the run has changed since it was read. */
  requeue(seen: RunHead, dueAtMs: number): Promise<boolean>;
}

/** A run of a workflow that limits how many of them are in progress. */
export type LimitedRun = RunHead & { readonly maxRuns: number };

/**
 * The places of such workflows, and the lines for them. A run keeps its place while it has a valid lease, so that a crash frees it: no call
 * gives one back.
 */
export interface RunPlaces {
  /**
   * Takes a place, or joins the line; a run that is not stored yet joins none. The caller takes the lease next.
   * @returns null with a place; otherwise when to try again, unless the run's turn comes before
   */
  enter(run: LimitedRun, nowMs: number, state: { readonly isStored: boolean }): Promise<number | null>;
  /**
   * Counts a run within another one, once for each key: a function that continues after a crash counts it again.
   * @returns false where `max` others are counted already within that root
   */
  countWithin(root: RunId, key: string, max: number, nowMs: number): Promise<boolean>;
  /** Takes a run that needs no place any more out of the line. @returns those whose turn it is */
  leave(run: LimitedRun, nowMs: number): Promise<readonly RunId[]>;
}

/** Runs that have not ended, by the time at which they are due. */
export interface OpenRuns {
  list(untilMs: number): AsyncIterable<OpenRun>;
  close(run: OpenRun): Promise<void>;
}

export interface OpenRun extends RunId {
  readonly dueAtMs: number;
}

export interface RunQueue {
  send(ids: readonly RunId[]): Promise<void>;
}
