import type { Ending, Execution, ExecutionId, Output } from './execution.ts';
import type { Run } from './run.ts';

/** The right to end an execution: of all that ever started it, only its present owner can. */
export interface Lease extends ExecutionId {
  readonly owner: string;
}

export type NewExecution =
  /** To be started by whoever gets its message. */
  | { readonly execution: Execution; readonly program: Run; readonly queuedAtMs: number }
  /** Already started, by `lease`. */
  | { readonly execution: Execution; readonly lease: Lease; readonly leaseUntilMs: number };

/** An execution as it was when it was looked at. */
export interface FoundExecution {
  readonly execution: Execution;
  /** Epoch time until which its owner may be alive; 0 when nobody runs it. */
  readonly leaseUntilMs: number;
  /** True when it is to end as cancelled. */
  readonly isCancelled: boolean;
  /** When it was put into the queue last; and how often the reconciler has had to do that. */
  readonly queuedAtMs: number;
  readonly requeues: number;
}

/**
 * Recorded executions. An execution that is unknown, expired, removed or another workspace's is absent. All reads are strongly
 * consistent, but for `isWanted`.
 */
export interface Executions {
  /** Stores a new one, and puts it on the list of open ones; all of it or nothing. */
  create(created: NewExecution): Promise<void>;
  find(id: ExecutionId): Promise<FoundExecution | null>;
  /** `program` is null when it is no longer there. */
  findWithProgram(id: ExecutionId): Promise<(FoundExecution & { readonly program: Run | null }) | null>;
  /** `output` is null before the end. */
  findWithOutput(id: ExecutionId): Promise<(FoundExecution & { readonly output: Output | null }) | null>;
  /** From pending to running, atomically. @returns false when it is not pending: it must not be run then. */
  start(lease: Lease, nowMs: number, leaseUntilMs: number): Promise<boolean>;
  /** From running to pending: nothing of it has begun. Does nothing when the lease is lost. */
  putBack(lease: Lease): Promise<void>;
  /** False as soon as the owner's run is of no more use: cancelled, removed, or ended by another. May be a second late. */
  isWanted(lease: Lease): Promise<boolean>;
  /** Ends what the owner runs, and stores the output. @returns false when the lease is lost: nothing is stored then. */
  end(lease: Lease, ending: Ending, nowMs: number): Promise<boolean>;
  /** Ends what nobody runs. @returns false when it is no longer as `seen`. */
  abandon(seen: FoundExecution, ending: Ending, nowMs: number): Promise<boolean>;
  /** Marks a running one as cancelled. @returns false when it is not running. */
  cancel(id: ExecutionId): Promise<boolean>;
  /** Notes that a pending one is queued again. @returns false when it is no longer as `seen`. */
  requeue(seen: FoundExecution, nowMs: number): Promise<boolean>;
  /** Removes it with its program and output, in whatever state it is. */
  remove(execution: Pick<Execution, 'workspaceId' | 'executionId' | 'sessionId'>): Promise<void>;
  /** Executions that the reconciler has not yet found ended. */
  open(): AsyncIterable<ExecutionId>;
  /** Takes one off that list. */
  close(id: Pick<ExecutionId, 'executionId'>): Promise<void>;
}

/** The executions of each session. */
export interface Sessions {
  /** Newest first, fewer than `limit` on the last page only. @param before only those older than the execution of this id. */
  executions(session: SessionId, limit: number, before: string | null): Promise<Execution[]>;
  /** Also those whose removal was cut off. */
  executionIds(session: SessionId): AsyncIterable<ExecutionId>;
}

export interface SessionId {
  readonly workspaceId: string;
  readonly sessionId: string;
}

/** One message an execution; a message that is lost is the reconciler's to find. */
export interface ExecutionQueue {
  send(ids: readonly ExecutionId[]): Promise<void>;
}
