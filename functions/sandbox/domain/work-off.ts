import type { Ids } from '../../shared/ports/ids.ts';
import { type Ending, type ExecutionId, endingOf, failure } from './execution.ts';
import type { Executions, FoundExecution, Lease } from './execution-ports.ts';
import { SandboxUnavailable } from './sandbox-pool.ts';
import { CANCELLED, type SupervisePorts, superviseRun } from './supervise-run.ts';

export interface WorkPorts extends SupervisePorts {
  readonly executions: Executions;
  readonly ids: Ids;
}

export type EndPorts = Pick<WorkPorts, 'executions' | 'clock'>;

/** 'done': the message is of no more use. 'again': it must come again, soon. */
export type Worked = 'done' | 'again';

/**
 * Runs a submitted execution, for one delivery of its message. It is started by one conditional write and ended by another
 * one, and what was ever started is never started again: a delivery that finds it running without anybody alive ends it as
 * failed.
 * @param untilMs epoch time at which this worker ends for certain; its lease ends then.
 * @throws what another delivery may get over
 */
export async function workOff(id: ExecutionId, untilMs: number, ports: WorkPorts): Promise<Worked> {
  const { executions, clock } = ports;
  const found = await executions.findWithProgram(id);
  if (found === null || found.execution.completedAt !== null) return 'done';
  if (found.execution.status === 'running') return endIfDead(found, ports);
  if (found.isCancelled) return abandon(found, failure(CANCELLED), ports);
  if (found.program === null) return abandon(found, failure('Its program is no longer there.'), ports);

  const lease: Lease = { ...id, owner: ports.ids.next('run') };
  if (!(await executions.start(lease, clock.now(), untilMs))) return 'again';
  const outcome = await superviseRun(lease, found.program, untilMs, ports).catch((error: Error) => error);
  if (outcome instanceof SandboxUnavailable) {
    await executions.putBack(lease);
    return 'again';
  }
  // Who has lost the lease has nothing to say any more.
  await executions.end(lease, endingOf(found.program, outcome), clock.now());
  return 'done';
}

/** For one that was started: its worker may be alive, and must then be let alone. */
export async function endIfDead(found: FoundExecution, ports: EndPorts): Promise<Worked> {
  return found.leaseUntilMs > ports.clock.now() ? 'again' : abandon(found, endingOfDead(found), ports);
}

export async function abandon(found: FoundExecution, ending: Ending, ports: EndPorts): Promise<Worked> {
  const { executions, clock } = ports;
  return (await executions.abandon(found, ending, clock.now())) ? 'done' : 'again';
}

/** How one ends that was started and has nobody alive. */
export function endingOfDead({ isCancelled }: FoundExecution): Ending {
  return failure(
    isCancelled
      ? CANCELLED
      : 'What ran it ended in the middle of it. How far it got is unknown, and it was not started again.',
  );
}
