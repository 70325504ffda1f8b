import type { Clock } from '../../shared/ports/clock.ts';
import { type ExecutionId, failure } from './execution.ts';
import type { ExecutionLeases, Executions } from './execution-ports.ts';
import { CANCELLED } from './supervise-run.ts';

export interface CancelPorts {
  readonly executions: Pick<Executions, 'find' | 'remove'>;
  readonly leases: Pick<ExecutionLeases, 'abandon' | 'cancel'>;
  readonly clock: Clock;
}

/** It may start, be released, or end between read and write, but not so often. */
const MAX_ATTEMPTS = 10;

/**
 * Cancels an execution: a pending one never starts, a running one ends within about a second; both end as failed. An ended one is
 * removed.
 * @returns false if there is no such execution
 */
export async function cancel(id: ExecutionId, { executions, leases, clock }: CancelPorts): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const found = await executions.find(id);
    if (found === null) return false;
    const { status, completedAt } = found.execution;
    if (completedAt !== null) {
      await executions.remove(found.execution);
      return true;
    }
    const isRun = status === 'running' && found.leaseUntilMs > clock.now();
    if (isRun ? await leases.cancel(id) : await leases.abandon(found, failure(CANCELLED), clock.now())) return true;
  }
  throw new Error(`Execution ${id.executionId} could not be cancelled: it changed before every write.`);
}
