import type { HoldEnd } from '../../accounts/domain/hold.ts';
import type { StoredEnd } from '../../accounts/domain/hold-funds.ts';
import type { UsageEvent } from '../../accounts/domain/usage.ts';
import type { Lease } from '../../shared/leases/lease.ts';
import type { Ending, Execution, ExecutionId } from './execution.ts';
import type { Output } from './output.ts';
import type { Run } from './run.ts';

/** The right to end an execution: of all runs that ever held it, only the present holder can. */
export type ExecutionLease = Lease<ExecutionId>;

export type NewExecution =
  /** To be started by the worker that gets its message. */
  | { readonly execution: Execution; readonly program: Run; readonly queuedAtMs: number }
  /** Already started, under `lease`. */
  | { readonly execution: Execution; readonly lease: ExecutionLease; readonly leaseUntilMs: number };

/** An execution as it was read, with the state of its lease. */
export interface FoundExecution {
  readonly execution: Execution;
  /** Epoch time at which the lease expires; 0 when no run holds it. */
  readonly leaseUntilMs: number;
  /** True when it is to end as cancelled. */
  readonly isCancelled: boolean;
  /** When it was queued last; and how often the reconciler has queued it again. */
  readonly queuedAtMs: number;
  readonly requeues: number;
}

/** Recorded executions. One that is unknown, expired, removed or another workspace's is absent. Reads are strongly consistent. */
export interface Executions {
  /** Stores a new one, and puts it on the list of open ones; all of it or nothing. */
  create(created: NewExecution): Promise<void>;
  find(id: ExecutionId): Promise<FoundExecution | null>;
  /** `program` is null when it is no longer stored. */
  findWithProgram(id: ExecutionId): Promise<(FoundExecution & { readonly program: Run | null }) | null>;
  /** `output` is null before the end. */
  findWithOutput(id: ExecutionId): Promise<(FoundExecution & { readonly output: Output | null }) | null>;
  /** Removes it with its program and output, in any state. */
  remove(execution: Pick<Execution, 'workspaceId' | 'executionId' | 'sessionId'>): Promise<void>;
}

/** The leases on executions. Every change is one conditional write. */
export interface ExecutionLeases {
  /** From pending to running. @returns false when it is not pending: it must not be run then. */
  start(lease: ExecutionLease, nowMs: number, leaseUntilMs: number): Promise<boolean>;
  /** From running to pending: nothing of it has started. Does nothing when the lease is lost. */
  release(lease: ExecutionLease): Promise<void>;
  /** False once it is cancelled, removed, or ended by another run. Eventually consistent: may be a second late. */
  isWanted(lease: ExecutionLease): Promise<boolean>;
  /**
   * Ends it, stores the output and counts the run. @param usage null for a run that is not counted.
   * @returns false when the lease is lost: nothing is stored or counted then.
   */
  end(lease: ExecutionLease, ending: Ending, nowMs: number, usage: UsageEvent | null): Promise<boolean>;
  /** As `end`, together with the end of a hold. One that was released is left out. */
  endPaid(lease: ExecutionLease, ending: Ending, payment: HoldEnd): Promise<StoredEnd>;
  /** Ends one that no run holds. @returns false when it has changed since it was read. */
  abandon(seen: FoundExecution, ending: Ending, nowMs: number): Promise<boolean>;
  /** Marks a running one as cancelled. @returns false when it is not running. */
  cancel(id: ExecutionId): Promise<boolean>;
  /** Records that a pending one is queued again. @returns false when it has changed since it was read. */
  requeue(seen: FoundExecution, nowMs: number): Promise<boolean>;
}

/** The list of executions that are not known to have ended. */
export interface OpenExecutions {
  list(): AsyncIterable<ExecutionId>;
  /** Takes one off the list. */
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

/** One message per execution; the reconciler finds the executions whose message was lost. */
export interface ExecutionQueue {
  send(ids: readonly ExecutionId[]): Promise<void>;
}
