import type { Verdict } from '../../shared/leases/lease.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import type { Lanes } from './delivery/delivery-ports.ts';
import { deadLetterOf, refOf } from './delivery/lane-runs.ts';
import type { DeadLetter, LaneMessage } from './delivery/messages.ts';

export interface FailPorts {
  readonly lanes: Lanes;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly onDead: (letter: DeadLetter) => Promise<void>;
}

/**
 * Gives up the first message of a lane whose workers crashed too often: it is what crashes them. The reconciler queues those
 * behind it.
 */
export async function failLane(message: LaneMessage, deadlineMs: number, ports: FailPorts): Promise<Verdict> {
  const { lanes, clock, ids } = ports;
  const acquired = await lanes.acquire(refOf(message), ids.next('run'), clock.now(), deadlineMs);
  if (acquired.kind !== 'acquired') return 'ack';
  const { lane } = acquired;
  const letter = deadLetterOf(lane, { reason: 'processing_failed', detail: null, attempts: lane.attempts + 1 }, ports);
  const next = await lanes.buryHead(lane, letter);
  await ports.onDead(letter);
  if (next !== null) await lanes.release(next);
  return 'ack';
}
