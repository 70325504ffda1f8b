import type { Clock } from '../../shared/ports/clock.ts';
import type { Executions, Lease } from './execution-ports.ts';
import { ExecutionFailed } from './execution-refused.ts';
import type { Run, RunOutcome } from './run.ts';
import { type RunCaller, type SandboxPool, SandboxUnavailable } from './sandbox-pool.ts';

export interface RunPorts {
  readonly pool: SandboxPool;
  /** Hears why a program was lost on the way; its caller is told no more than that it was. */
  readonly onLost: (error: unknown) => void;
}

export interface SupervisePorts extends RunPorts {
  readonly executions: Pick<Executions, 'isWanted'>;
  readonly clock: Clock;
  readonly pause: Pause;
}

/** Waiting, as a port; it ends early, and without an error, when `signal` says so. */
export interface Pause {
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** A cancelled program goes on for about so long at most. */
const LOOK_EVERY_MS = 1_000;
/** What is kept of a function's time to store how the execution ended. */
const RESERVE_MS = 3_000;

export const CANCELLED = 'Execution cancelled';

/** Runs one program, once. @throws ExecutionFailed, or SandboxUnavailable when nothing of it has begun */
export async function runOnce(run: Run, caller: RunCaller, { pool, onLost }: RunPorts): Promise<RunOutcome> {
  try {
    return await pool.run(run, caller);
  } catch (error) {
    if (error instanceof SandboxUnavailable) throw error;
    if (!caller.signal?.aborted) onLost(error);
    // What was lost on the way has an unknown end: it is a failure, and never tried again.
    throw new ExecutionFailed('The runner ended in the middle of it; it was not started again.', error);
  }
}

/**
 * Runs the program of a recorded execution, and ends it when the record says that nobody wants it any more.
 * @param untilMs epoch time at which this function ends for certain. @param client aborted when the client goes away.
 * @throws ExecutionFailed, or SandboxUnavailable when nothing of it has begun
 */
export async function superviseRun(
  lease: Lease,
  run: Run,
  untilMs: number,
  ports: SupervisePorts,
  client?: AbortSignal,
): Promise<RunOutcome> {
  const { executions, clock, pause } = ports;
  const stop = new AbortController();
  const ended = new AbortController();
  const signal = client ? AbortSignal.any([stop.signal, client]) : stop.signal;
  const watch = async () => {
    while (!stop.signal.aborted) {
      await pause.wait(LOOK_EVERY_MS, ended.signal);
      if (ended.signal.aborted) return;
      if (clock.now() >= untilMs - RESERVE_MS) stop.abort(new ExecutionFailed('Its worker ran out of time.'));
      // A record that cannot be read has not said no.
      else if (!(await executions.isWanted(lease).catch(() => true))) stop.abort(new ExecutionFailed(CANCELLED));
    }
  };
  // A program goes on whose watch has failed: its time-out ends it.
  const watching = watch().catch(() => undefined);
  try {
    return await runOnce(run, { workspaceId: lease.workspaceId, signal }, ports);
  } catch (error) {
    if (stop.signal.aborted) throw stop.signal.reason;
    throw client?.aborted ? new ExecutionFailed('Its client went away.') : error;
  } finally {
    ended.abort();
    await watching;
  }
}
