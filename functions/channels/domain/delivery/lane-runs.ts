import { createHash } from 'node:crypto';
import type { Acquisition } from '../../../shared/leases/run-leased.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { Ids } from '../../../shared/ports/ids.ts';
import type { LaneQueues, Lanes } from './delivery-ports.ts';
import type { DeadLetter, Direction, Lane, LaneId, LaneMessage, LaneRef } from './messages.ts';

export interface LaneRunPorts {
  readonly lanes: Lanes;
  readonly queues: LaneQueues;
  readonly clock: Clock;
}

/** Longest delay of a message in SQS; a longer wait is made of several. */
export const MAX_QUEUE_DELAY_SECONDS = 15 * 60;

/**
 * Takes the lease on a lane. A queue message that finds it held, or waiting for another message, has nothing to do: the run
 * that holds it does not end before it has seen what was put in.
 */
export async function acquireLane<D extends Direction>(
  message: LaneMessage & { readonly direction: D },
  fence: string,
  deadlineMs: number,
  { lanes, queues, clock }: LaneRunPorts,
): Promise<Acquisition<Lane<D>>> {
  const nowMs = clock.now();
  const ref = refOf(message) as LaneRef<D>;
  const acquisition = await lanes.acquire(ref, fence, nowMs, deadlineMs);
  if (acquisition.kind === 'acquired') return { kind: 'acquired', work: acquisition.lane };
  if (acquisition.kind === 'waiting' && acquisition.untilMs === message.atMs)
    await queues.send([message], delaySeconds(acquisition.untilMs - nowMs));
  return { kind: 'ended' };
}

export interface Wait {
  /** 0: due at once. */
  readonly untilMs: number;
  readonly attempts?: number;
  readonly failingSinceMs?: number | null;
}

/** Gives a lane back, and has it come again by a message of the queue. */
export async function releaseFor(
  lane: Lane,
  { untilMs, attempts = lane.attempts, failingSinceMs = lane.failingSinceMs }: Wait,
  { lanes, queues, clock }: LaneRunPorts,
): Promise<void> {
  await lanes.wait(lane, { untilMs, attempts, failingSinceMs });
  const delay = untilMs === 0 ? 0 : delaySeconds(untilMs - clock.now());
  try {
    await queues.send([{ ...laneMessage(lane, lane), ...(untilMs !== 0 && { atMs: untilMs }) }], delay);
  } catch (error) {
    // The message that is worked on comes again instead; it must not find the lane waiting for the one that was not sent.
    await lanes.makeDue(lane);
    throw error;
  }
}

export function delaySeconds(ms: number): number {
  return Math.min(MAX_QUEUE_DELAY_SECONDS, Math.max(0, Math.ceil(ms / 1000)));
}

/** What a lane is found by. Ids of conversations are of any length and form. */
export function laneRefOf<D extends Direction>({ conversationId, ...lane }: LaneId<D>): LaneRef<D> {
  const { channelId, direction, priority } = lane;
  const conversation = createHash('sha256').update(conversationId).digest('base64url').slice(0, 27);
  return { channelId, direction, priority, conversation };
}

export function refOf({ channelId, direction, priority, conversation }: LaneRef): LaneRef {
  return { channelId, direction, priority, conversation };
}

export function laneMessage({ workspaceId }: { readonly workspaceId: string }, lane: LaneRef): LaneMessage {
  return { workspaceId, ...refOf(lane) };
}

export function deadLetterOf(
  { workspaceId, channelId, type, direction, priority, conversationId, messages }: Lane,
  { reason, attempts }: Pick<DeadLetter, 'reason' | 'attempts'>,
  { ids, clock }: { readonly ids: Ids; readonly clock: Clock },
): DeadLetter {
  const diedAt = new Date(clock.now()).toISOString();
  return {
    ...{ workspaceId, deadLetterId: ids.next('dl'), channelId, type, direction, priority, conversationId },
    ...{ reason, attempts, message: messages[0]!, diedAt },
  };
}
