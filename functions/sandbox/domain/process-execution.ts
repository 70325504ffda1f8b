import { FundsRefused } from '../../accounts/domain/funds-refused.ts';
import type { Verdict } from '../../shared/leases/lease.ts';
import { type Acquisition, runLeased } from '../../shared/leases/run-leased.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { type CountedRun, endRun } from './end-run.ts';
import { type Ending, type ExecutionId, endingOf, failure } from './execution.ts';
import type { ExecutionLease, ExecutionLeases, Executions, FoundExecution } from './execution-ports.ts';
import type { Run } from './run.ts';
import type { RunCharges } from './run-charges.ts';
import { runUsage } from './run-usage.ts';
import { SandboxUnavailable } from './sandbox-pool.ts';
import { CANCELLED, type SupervisePorts, superviseRun } from './supervise-run.ts';

export interface ProcessPorts extends SupervisePorts {
  readonly executions: Pick<Executions, 'findWithProgram'>;
  readonly leases: ExecutionLeases;
  readonly ids: Ids;
  /** Null: programs are free. */
  readonly charges: RunCharges | null;
}

export interface AbandonPorts extends Pick<SupervisePorts, 'clock'> {
  readonly leases: Pick<ExecutionLeases, 'abandon'>;
}

/**
 * Runs a submitted execution, for one delivery of its message. It is started by one conditional write and ended by another
 * one, and never started twice: a delivery that finds it running under an expired lease ends it as failed.
 * @param deadlineMs epoch time at which this worker ends for certain; its lease expires then.
 * @throws an error that another delivery may get over
 */
export async function processExecution(id: ExecutionId, deadlineMs: number, ports: ProcessPorts): Promise<Verdict> {
  const { leases, clock, ids } = ports;
  const lease: ExecutionLease = { ...id, fence: ids.next('run') };
  return runLeased<StartedRun, CountedEnding>({
    acquire: () => acquire(lease, deadlineMs, ports),
    async run({ program, keyId }) {
      const charge = (await ports.charges?.hold({ ...id, keyId }, id.executionId, program)) ?? null;
      const options = charge ? { onBegun: charge.onBegun } : {};
      const outcome = await superviseRun(lease, program, deadlineMs, ports, options).catch((error: Error) => error);
      if (outcome instanceof SandboxUnavailable) {
        await charge?.release();
        return { kind: 'not_begun' };
      }
      return { kind: 'ended', ending: { ending: endingOf(program, outcome), outcome, keyId, charge } };
    },
    // Other errors of a run are part of its ending.
    endingOf: (error) =>
      error instanceof FundsRefused
        ? { ending: failure(error.message), outcome: error, keyId: null, charge: null }
        : null,
    end: ({ ending, outcome, keyId, charge }) => {
      const usage = runUsage({ ...id, keyId }, outcome, clock.now());
      return endRun(lease, ending, { outcome, usage, charge }, ports);
    },
    release: () => leases.release(lease),
  });
}

interface StartedRun {
  readonly program: Run;
  readonly keyId: string | null;
}

interface CountedEnding extends Omit<CountedRun, 'usage'> {
  readonly ending: Ending;
  readonly keyId: string | null;
}

async function acquire(
  lease: ExecutionLease,
  deadlineMs: number,
  ports: ProcessPorts,
): Promise<Acquisition<StartedRun>> {
  const found = await ports.executions.findWithProgram(lease);
  if (found === null || found.execution.completedAt !== null) return { kind: 'ended' };
  const { program } = found;
  if (found.execution.status === 'running') return acquisitionAfter(await abandonIfExpired(found, ports));
  if (found.isCancelled) return acquisitionAfter(await abandon(found, failure(CANCELLED), ports));
  if (program === null)
    return acquisitionAfter(await abandon(found, failure('Its program is no longer there.'), ports));
  const isStarted = await ports.leases.start(lease, ports.clock.now(), deadlineMs);
  return isStarted ? { kind: 'acquired', work: { program, keyId: found.execution.keyId } } : { kind: 'busy' };
}

const acquisitionAfter = (verdict: Verdict): Acquisition<never> => ({ kind: verdict === 'ack' ? 'ended' : 'busy' });

/** Ends a started one as failed, unless its lease has not expired: its worker may be alive then. */
export async function abandonIfExpired(found: FoundExecution, ports: AbandonPorts): Promise<Verdict> {
  return found.leaseUntilMs > ports.clock.now() ? 'retry' : abandon(found, interruptedEnding(found), ports);
}

export async function abandon(
  found: FoundExecution,
  ending: Ending,
  { leases, clock }: AbandonPorts,
): Promise<Verdict> {
  return (await leases.abandon(found, ending, clock.now())) ? 'ack' : 'retry';
}

/** Final state of an execution whose lease has expired while it was running. */
export function interruptedEnding({ isCancelled }: FoundExecution): Ending {
  return failure(
    isCancelled
      ? CANCELLED
      : 'What ran it ended in the middle of it. How far it got is unknown, and it was not started again.',
  );
}
