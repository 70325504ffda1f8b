import type { Verdict } from '../../../shared/leases/lease.ts';
import { type Decision, type Reconciled, reconcile } from '../../../shared/leases/reconcile.ts';
import { type RetrySchedule, retryDelayMs } from '../../../shared/leases/retry-schedule.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { Ids } from '../../../shared/ports/ids.ts';
import type { EngineEvent } from '../engine/engine-events.ts';
import { restoredMachine } from './process-run.ts';
import { hasEnded, type RunHead, type RunId } from './run.ts';
import type { OpenRun, OpenRuns, RunLeases, RunQueue, Runs } from './run-ports.ts';
import { runUsage } from './run-usage.ts';

export interface ReconcilePorts {
  readonly runs: Pick<Runs, 'find' | 'read'>;
  readonly openRuns: OpenRuns;
  readonly leases: Pick<RunLeases, 'acquire' | 'rest' | 'requeue'>;
  readonly queue: RunQueue;
  readonly ids: Ids;
  readonly clock: Clock;
}

/** A further message does no harm; a backlog grows by few of them. */
const REQUEUE_AFTER: RetrySchedule = { firstMs: 2 * 60_000, factor: 2, maxMs: 60 * 60_000 };
const MAX_REQUEUES = 12;
/** Ending a run takes so long at most. */
const END_MS = 20_000;

/**
 * Resumes runs that a crash or a lost message has left behind, and those whose wait is over.
 * @param afterRestart true right after the start of a single-process service with its queue in memory: all messages and all functions are
 * gone.
 */
export function reconcileRuns(ports: ReconcilePorts, { afterRestart = false } = {}): Promise<Reconciled> {
  const { runs, openRuns, leases, queue, clock } = ports;
  return reconcile<OpenRun, RunHead>(
    {
      open: () => openRuns.list(afterRestart ? Number.MAX_SAFE_INTEGER : clock.now()),
      async unfinished(open) {
        const head = await runs.find(open);
        return head === null || hasEnded(head) ? [] : [head];
      },
      decide: (head, nowMs) => decisionOn(head, nowMs, afterRestart),
      requeue: (head, nowMs) => leases.requeue(head, nowMs + retryDelayMs(REQUEUE_AFTER, head.requeues + 1)),
      fail: (head) => giveUpRun(head, ports).then((verdict) => verdict === 'ack'),
      send: (heads) => queue.send(heads.map(({ workspaceId, runId }) => ({ workspaceId, runId }))),
      close: (open) => openRuns.close(open),
    },
    { clock },
  );
}

function decisionOn(
  { status, dueAtMs, leaseUntilMs, requeues }: RunHead,
  nowMs: number,
  afterRestart: boolean,
): Decision {
  const isDue = dueAtMs <= nowMs;
  if (status === 'waiting') return isDue ? 'requeue' : 'wait';
  if (status === 'running' && leaseUntilMs > nowMs && !afterRestart) return 'wait';
  if (!isDue && !afterRestart) return 'wait';
  return requeues >= MAX_REQUEUES && !afterRestart ? 'fail' : 'requeue';
}

/**
 * Ends a run that no worker could continue.
 * @returns 'retry' while a function may still hold it.
 */
export async function giveUpRun(
  { workspaceId, runId }: RunId,
  { runs, leases, clock, ids }: Omit<ReconcilePorts, 'openRuns' | 'queue'>,
): Promise<Verdict> {
  const seen = await runs.find({ workspaceId, runId });
  // What waits for people is taken up by their decision, or when its wait is over.
  if (seen === null || hasEnded(seen) || seen.status === 'waiting') return 'ack';
  const nowMs = clock.now();
  // In line for its workflow: the message was one more than it needed.
  if (seen.status === 'queued' && seen.maxRuns !== undefined && seen.dueAtMs > nowMs) return 'ack';
  const lease = { workspaceId, runId, fence: ids.next('work'), untilMs: nowMs + END_MS };
  const isAcquired = await leases.acquire(lease, nowMs);
  const found = await runs.read(lease);
  if (found === null || hasEnded(found.head)) return 'ack';
  if (!isAcquired) return 'retry';
  const machine = restoredMachine(found);
  const message = 'The run could not be continued, though it was tried for hours. Start it again.';
  const event: EngineEvent = { type: 'given_up', atMs: nowMs, failure: { code: 'internal_error', message } };
  machine.apply(event);
  const { failure, cost } = machine;
  const ending = { status: 'failed', failure, cost } as const;
  const usage = runUsage(found.head, cost, nowMs);
  await leases.rest(lease, found.nextEntry, [event], { kind: 'ended', ending, usage, atMs: nowMs });
  return 'ack';
}
