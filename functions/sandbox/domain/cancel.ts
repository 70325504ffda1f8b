import type { Clock } from '../../shared/ports/clock.ts';
import { type ExecutionId, failure } from './execution.ts';
import type { Executions } from './execution-ports.ts';
import { CANCELLED } from './supervise-run.ts';

export interface CancelPorts {
  readonly executions: Executions;
  readonly clock: Clock;
}

/** It may start, be put back, or end between look and write; so often it does not. */
const MOST_TRIES = 10;

/**
 * Cancels an execution: a pending one never starts, a running one is told to end and does within about a second; both end as
 * failed. One that has ended is removed. @returns false when there is none
 */
export async function cancel(id: ExecutionId, { executions, clock }: CancelPorts): Promise<boolean> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const found = await executions.find(id);
    if (found === null) return false;
    const { status, completedAt } = found.execution;
    if (completedAt !== null) {
      await executions.remove(found.execution);
      return true;
    }
    const isRun = status === 'running' && found.leaseUntilMs > clock.now();
    if (isRun ? await executions.cancel(id) : await executions.abandon(found, failure(CANCELLED), clock.now()))
      return true;
  }
  throw new Error(`Execution ${id.executionId} could not be cancelled: it never stood still.`);
}
