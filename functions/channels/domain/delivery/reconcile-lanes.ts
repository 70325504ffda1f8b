import { type Decision, type Reconciled, reconcile } from '../../../shared/leases/reconcile.ts';
import { type RetrySchedule, retryDelayMs } from '../../../shared/leases/retry-schedule.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { LaneQueues, Lanes } from './delivery-ports.ts';
import { laneMessage } from './lane-runs.ts';
import type { Direction, WaitingLane } from './messages.ts';
import { type OutageLetterPorts, putBackOutageLetters } from './outage-letters.ts';

export interface ReconcilePorts extends OutageLetterPorts {
  readonly channels: OutageLetterPorts['channels'] & { allIds(): AsyncIterable<string> };
  readonly lanes: Lanes;
  readonly queues: LaneQueues;
  readonly clock: Clock;
}

/** A lane that is due for so long may have lost its message, or waits in a backlog; a further one costs a write. */
const LOST_AFTER: RetrySchedule = { firstMs: 60_000, factor: 2, maxMs: 60 * 60_000 };

const DIRECTIONS: readonly Direction[] = ['inbound', 'outbound'];

export interface ReconciledLanes extends Reconciled {
  /** Age of the oldest unanswered or undelivered message; 0 if there is none. */
  readonly oldestSeconds: number;
}

/**
 * Sends a queue message for every lane that crashes and lost messages have left without one. Nothing is given up here: a
 * message ends by being delivered, or as a dead letter of its attempts.
 * @param afterRestart true right after the start of a single-process service with its queues in memory: all messages and all
 *   runs are gone.
 */
export async function reconcileLanes(ports: ReconcilePorts, { afterRestart = false } = {}): Promise<ReconciledLanes> {
  const { channels, lanes, queues, clock } = ports;
  let oldestAtMs = Number.POSITIVE_INFINITY;
  const reconciled = await reconcile<{ readonly channelId: string; readonly direction: Direction }, WaitingLane>(
    {
      async *open() {
        for await (const channelId of channels.allIds()) {
          await putBackOutageLetters(channelId, ports);
          for (const direction of DIRECTIONS) yield { channelId, direction };
        }
      },
      async unfinished({ channelId, direction }) {
        const found: WaitingLane[] = [];
        for await (const lane of lanes.list(channelId, direction)) {
          oldestAtMs = Math.min(oldestAtMs, lane.oldestMessageAtMs);
          found.push(lane);
        }
        return found;
      },
      decide: (lane, nowMs) => decisionOn(lane, nowMs, afterRestart),
      requeue: (lane, nowMs) => lanes.requeue(lane, nowMs, afterRestart),
      fail: async () => false,
      send: (found) => queues.send(found.map((lane) => laneMessage(lane, lane))),
      close: async () => undefined,
    },
    { clock },
  );
  const oldestSeconds = Math.max(0, Math.round((clock.now() - oldestAtMs) / 1000));
  return { ...reconciled, closed: 0, oldestSeconds };
}

function decisionOn({ dueSinceMs, queuedAtMs, requeues }: WaitingLane, nowMs: number, afterRestart: boolean): Decision {
  if (afterRestart) return 'requeue';
  return Math.max(dueSinceMs, queuedAtMs) + retryDelayMs(LOST_AFTER, requeues + 1) > nowMs ? 'wait' : 'requeue';
}
