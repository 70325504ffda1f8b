import type { Clock } from '../../shared/ports/clock.ts';
import type { ExecutionId } from './execution.ts';
import type { ExecutionLease, ExecutionLeases } from './execution-ports.ts';
import { ExecutionFailed } from './execution-refused.ts';
import { type OutputFileStore, withKeptFiles } from './output-files.ts';
import type { Run, RunOutcome } from './run.ts';
import { type RunCaller, type SandboxPool, SandboxUnavailable } from './sandbox-pool.ts';

export interface RunPorts {
  readonly pool: SandboxPool;
  /** Called with the cause when a program was lost on the way; the client learns only that it was. */
  readonly onLost: (error: unknown) => void;
  /** Takes the files of its result that are too large for it. */
  readonly files: OutputFileStore;
}

/** Options of a run in addition to its program. */
export interface RunOptions extends Pick<RunCaller, 'bytesWithIt' | 'onBegun' | 'onOutput'> {
  /** Of the files in its result, in base64. */
  readonly maxInlineBytes?: number;
}

export interface SupervisePorts extends RunPorts {
  readonly leases: Pick<ExecutionLeases, 'isWanted'>;
  readonly clock: Clock;
  readonly pause: Pause;
}

/** Waiting, as a port; it ends early, and without an error, when `signal` is aborted. */
export interface Pause {
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** Roughly the longest time that a cancelled program keeps running. */
const POLL_INTERVAL_MS = 1_000;
/** Part of a function's time that is kept for storing the end. */
const RESERVE_MS = 3_000;

export const CANCELLED = 'Execution cancelled';

/** True for a run that ended because its execution was cancelled or removed. */
export const isCancelled = (outcome: object): boolean =>
  outcome instanceof ExecutionFailed && outcome.message === CANCELLED;

/** Runs one program, once. @throws ExecutionFailed, or SandboxUnavailable when nothing of it has started */
export async function runOnce(
  run: Run,
  { executionId, maxInlineBytes, ...caller }: RunCaller & Pick<ExecutionId, 'executionId'> & RunOptions,
  { pool, onLost, files }: RunPorts,
): Promise<RunOutcome> {
  try {
    const outcome = await pool.run(run, caller);
    const { workspaceId } = caller;
    return await withKeptFiles(
      outcome,
      { workspaceId, executionId },
      { store: files, ...(maxInlineBytes !== undefined && { maxInlineBytes }) },
    );
  } catch (error) {
    if (error instanceof SandboxUnavailable || error instanceof ExecutionFailed) throw error;
    if (!caller.signal?.aborted) onLost(error);
    // A run whose connection broke has an unknown end: it counts as a failure and is never retried.
    throw new ExecutionFailed('The runner ended in the middle of it; it was not started again.', error);
  }
}

/**
 * Runs the program of a recorded execution, and aborts it when the execution is cancelled or removed.
 * @param deadlineMs epoch time at which this function ends for certain. `client` is aborted when the client goes away.
 * @throws ExecutionFailed, or SandboxUnavailable when nothing of it has started
 */
export async function superviseRun(
  lease: ExecutionLease,
  run: Run,
  deadlineMs: number,
  ports: SupervisePorts,
  { client, ...options }: RunOptions & { readonly client?: AbortSignal } = {},
): Promise<RunOutcome> {
  const { leases, clock, pause } = ports;
  const stop = new AbortController();
  const ended = new AbortController();
  const signal = client ? AbortSignal.any([stop.signal, client]) : stop.signal;
  const watch = async () => {
    while (!stop.signal.aborted) {
      await pause.wait(POLL_INTERVAL_MS, ended.signal);
      if (ended.signal.aborted) return;
      if (clock.now() >= deadlineMs - RESERVE_MS) stop.abort(new ExecutionFailed('Its worker ran out of time.'));
      // A record that cannot be read is not a reason to abort.
      else if (!(await leases.isWanted(lease).catch(() => true))) stop.abort(new ExecutionFailed(CANCELLED));
    }
  };
  // If polling fails, the program continues until its time-out.
  const watching = watch().catch(() => undefined);
  try {
    const { workspaceId, executionId } = lease;
    return await runOnce(run, { workspaceId, executionId, untilMs: deadlineMs, signal, ...options }, ports);
  } catch (error) {
    if (stop.signal.aborted) throw stop.signal.reason;
    throw client?.aborted ? new ExecutionFailed('Its client went away.') : error;
  } finally {
    ended.abort();
    await watching;
  }
}
