import type { Clock } from '../../shared/ports/clock.ts';
import { type Ending, type ExecutionId, failure } from './execution.ts';
import type { ExecutionQueue, Executions, FoundExecution } from './execution-ports.ts';
import { CANCELLED } from './supervise-run.ts';
import { abandon, type EndPorts, endIfDead, endingOfDead, type Worked } from './work-off.ts';

export interface ReconcilePorts {
  readonly executions: Executions;
  readonly queue: ExecutionQueue;
  readonly clock: Clock;
}

export interface Reconciled {
  readonly requeued: number;
  readonly failed: number;
  readonly closed: number;
}

/**
 * One that is pending for so long may have lost its message, or waits in a backlog. It gets a further message, which does no
 * harm, and the next one after twice as long: a backlog grows by a few messages that cost a look each.
 */
const MAY_BE_LOST_MS = 2 * 60_000;
/** With so many the last wait ends after 17 hours: before the queue, which keeps a message for a day, forgets it. */
const MOST_REQUEUES = 8;

const NOT_STARTED = failure(
  'It could not be started, though it was tried for more than half an hour: no runner was free. Nothing of it has run: send it again.',
);

/**
 * Finds what crashes and lost messages have left behind: what was started and has nobody alive is ended as failed, what was
 * not is queued again, or failed when that has not helped; what has ended is taken off the list. Safe at any time, and any
 * number at once.
 * @param allDead true right after the start of a service that is a single process and keeps its queue in memory: all
 *   messages and all workers are gone.
 */
export async function reconcileExecutions(ports: ReconcilePorts, { allDead = false } = {}): Promise<Reconciled> {
  const { executions, queue, clock } = ports;
  const nowMs = clock.now();
  const totals = { requeued: 0, failed: 0, closed: 0 };
  for await (const id of executions.open()) {
    const found = await executions.find(id);
    if (found === null || found.execution.completedAt !== null) {
      await executions.close(id);
      totals.closed += 1;
      continue;
    }
    const ending = endingFor(found, nowMs, allDead);
    if (ending !== null) {
      if (await executions.abandon(found, ending, nowMs)) totals.failed += 1;
    } else if (
      found.execution.status === 'pending' &&
      (allDead || mayBeLost(found, nowMs)) &&
      (await executions.requeue(found, nowMs))
    ) {
      // After the note: a crash in between costs one more wait, never a flood of messages.
      await queue.send([id]);
      totals.requeued += 1;
    }
  }
  return totals;
}

function endingFor(found: FoundExecution, nowMs: number, allDead: boolean): Ending | null {
  const { execution, leaseUntilMs, isCancelled, requeues } = found;
  if (execution.status === 'running') return allDead || leaseUntilMs <= nowMs ? endingOfDead(found) : null;
  if (isCancelled) return failure(CANCELLED);
  return !allDead && requeues >= MOST_REQUEUES && mayBeLost(found, nowMs) ? NOT_STARTED : null;
}

function mayBeLost({ queuedAtMs, requeues }: FoundExecution, nowMs: number): boolean {
  return queuedAtMs + MAY_BE_LOST_MS * 2 ** requeues <= nowMs;
}

/** For one whose message was delivered to no avail as often as its queue delivers. */
export async function giveUp(id: ExecutionId, ports: EndPorts): Promise<Worked> {
  const found = await ports.executions.find(id);
  if (found === null || found.execution.completedAt !== null) return 'done';
  return found.execution.status === 'running' ? endIfDead(found, ports) : abandon(found, NOT_STARTED, ports);
}
