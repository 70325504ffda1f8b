import type { Verdict } from '../../shared/leases/lease.ts';
import { type Decision, type Reconciled, reconcile } from '../../shared/leases/reconcile.ts';
import { type RetrySchedule, retryDelayMs } from '../../shared/leases/retry-schedule.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { type Ending, type ExecutionId, failure } from './execution.ts';
import type { ExecutionLeases, ExecutionQueue, Executions, FoundExecution, OpenExecutions } from './execution-ports.ts';
import { type AbandonPorts, abandon, abandonIfExpired, interruptedEnding } from './process-execution.ts';
import { CANCELLED } from './supervise-run.ts';

export interface ReconcilePorts {
  readonly executions: Pick<Executions, 'find'>;
  readonly openExecutions: OpenExecutions;
  readonly leases: Pick<ExecutionLeases, 'abandon' | 'requeue'>;
  readonly queue: ExecutionQueue;
  readonly clock: Clock;
}

/**
 * An execution that is pending for so long may have lost its message, or waits in a backlog. It gets a further message, which does no
 * harm, and the next one after twice as long: a backlog grows by a few messages that cost a read each.
 */
const LOST_AFTER: RetrySchedule = { firstMs: 2 * 60_000, factor: 2, maxMs: Number.POSITIVE_INFINITY };
/** The last wait ends after 17 hours: before the queue, which keeps a message for a day, forgets it. */
const MAX_REQUEUES = 8;

const NOT_STARTED = failure(
  'It could not be started, though it was tried for more than half an hour: no runner was free. Nothing of it has run: send it again.',
);

/**
 * Queues or ends the executions that crashes and lost messages have left behind: one that was started and whose lease has
 * expired is ended as failed; one that was not is queued again, or failed when that has not helped.
 * @param afterRestart true right after the start of a single-process service with its queue in memory: all messages and all
 *   runs are gone.
 */
export function reconcileExecutions(ports: ReconcilePorts, { afterRestart = false } = {}): Promise<Reconciled> {
  const { executions, openExecutions, leases, queue, clock } = ports;
  return reconcile<ExecutionId, FoundExecution>(
    {
      open: () => openExecutions.list(),
      async unfinished(id) {
        const found = await executions.find(id);
        return found === null || found.execution.completedAt !== null ? [] : [found];
      },
      decide: (found, nowMs) => decisionOn(found, nowMs, afterRestart),
      requeue: (found, nowMs) => leases.requeue(found, nowMs),
      fail: (found, nowMs) => leases.abandon(found, endingOfFailed(found), nowMs),
      send: (_, id) => queue.send([id]),
      close: (id) => openExecutions.close(id),
    },
    { clock },
  );
}

function decisionOn(found: FoundExecution, nowMs: number, afterRestart: boolean): Decision {
  const { execution, leaseUntilMs, isCancelled, queuedAtMs, requeues } = found;
  if (execution.status === 'running') return afterRestart || leaseUntilMs <= nowMs ? 'fail' : 'wait';
  if (isCancelled) return 'fail';
  if (afterRestart) return 'requeue';
  if (queuedAtMs + retryDelayMs(LOST_AFTER, requeues + 1) > nowMs) return 'wait';
  return requeues >= MAX_REQUEUES ? 'fail' : 'requeue';
}

function endingOfFailed(found: FoundExecution): Ending {
  if (found.execution.status === 'running') return interruptedEnding(found);
  return found.isCancelled ? failure(CANCELLED) : NOT_STARTED;
}

/** Ends an execution whose message has used up its deliveries. @returns 'retry' while a run may still hold it. */
export async function giveUp(
  id: ExecutionId,
  ports: AbandonPorts & Pick<ReconcilePorts, 'executions'>,
): Promise<Verdict> {
  const found = await ports.executions.find(id);
  if (found === null || found.execution.completedAt !== null) return 'ack';
  return found.execution.status === 'running' ? abandonIfExpired(found, ports) : abandon(found, NOT_STARTED, ports);
}
