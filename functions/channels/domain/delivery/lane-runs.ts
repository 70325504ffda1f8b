import { createHash } from 'node:crypto';
import type { Acquisition } from '../../../shared/leases/run-leased.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { Ids } from '../../../shared/ports/ids.ts';
import type { PreviousAttempt } from '../platforms/platform.ts';
import type { LaneQueues, Lanes } from './delivery-ports.ts';
import type { DeadLetter, Direction, Lane, LaneId, LaneMessage, LaneRef, Priority } from './messages.ts';

export interface LaneRunPorts {
  readonly lanes: Lanes;
  readonly queues: LaneQueues;
  readonly clock: Clock;
  /** Resolves after this number of milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
}

/** Longest delay of a message in SQS; a longer wait is made of several. */
export const MAX_QUEUE_DELAY_SECONDS = 15 * 60;
/** Lanes that are woken at once; the others wake by themselves within minutes. */
const MAX_WOKEN = 500;
/** Delays of SQS are whole seconds: its messages come early by the rest, which is waited for here. */
const MAX_PAUSE_MS = 1_000;

/**
 * Acquires the lease on a lane. If the lane is leased, or waits for another message, there is nothing to do: the run that holds the lease
 * checks for new messages before it ends.
 */
export async function acquireLane<D extends Direction>(
  message: LaneMessage & { readonly direction: D },
  fence: string,
  deadlineMs: number,
  { lanes, queues, clock, pause }: LaneRunPorts,
): Promise<Acquisition<Lane<D>>> {
  const earlyMs = (message.atMs ?? 0) - clock.now();
  if (earlyMs > 0 && earlyMs <= MAX_PAUSE_MS) await pause(earlyMs);
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
  readonly previous?: PreviousAttempt | null;
}

/** Gives a lane back, and has it come again by a message of the queue. */
export async function releaseFor(
  lane: Lane,
  { untilMs, attempts = lane.attempts, failingSinceMs = lane.failingSinceMs, previous = lane.previous }: Wait,
  { lanes, queues, clock }: Omit<LaneRunPorts, 'pause'>,
): Promise<void> {
  await lanes.wait(lane, { untilMs, attempts, failingSinceMs, previous });
  const delay = untilMs === 0 ? 0 : delaySeconds(untilMs - clock.now());
  try {
    const message = laneMessage(lane, lane, queueOf(lane));
    await queues.send([{ ...message, ...(untilMs !== 0 && { atMs: untilMs }) }], delay);
  } catch (error) {
    // The message that is worked on comes again instead; it must not find the lane waiting for the one that was not sent.
    await lanes.makeDue(lane);
    throw error;
  }
}

/** Makes what waits in a channel due at once, such as replies that waited for its credentials. */
export async function wakeLanes(
  { workspaceId, channelId }: { readonly workspaceId: string; readonly channelId: string },
  { lanes, queues }: Pick<LaneRunPorts, 'lanes' | 'queues'>,
): Promise<void> {
  const woken: LaneMessage[] = [];
  for (const direction of ['inbound', 'outbound'] as const)
    for await (const lane of lanes.list(channelId, direction)) {
      if (lane.isLeased || woken.length === MAX_WOKEN) continue;
      await lanes.makeDue(lane);
      woken.push(laneMessage({ workspaceId }, lane));
    }
  if (woken.length > 0) await queues.send(woken);
}

export function delaySeconds(ms: number): number {
  return Math.min(MAX_QUEUE_DELAY_SECONDS, Math.max(0, Math.floor(ms / 1000)));
}

/** The lookup key of a lane. Conversation ids have any length and form, so that they are hashed. */
export function laneRefOf<D extends Direction>({ conversationId, ...lane }: LaneId<D>): LaneRef<D> {
  const { channelId, direction, priority } = lane;
  const conversation = createHash('sha256').update(conversationId).digest('base64url').slice(0, 27);
  return { channelId, direction, priority, conversation };
}

export function refOf({ channelId, direction, priority, conversation }: LaneRef): LaneRef {
  return { channelId, direction, priority, conversation };
}

export function laneMessage(
  { workspaceId }: { readonly workspaceId: string },
  lane: LaneRef,
  queue?: Priority,
): LaneMessage {
  return { workspaceId, ...refOf(lane), ...(queue !== undefined && { queue }) };
}

/** A lane of nothing but messages of a bulk replay stays in the queue of the background. */
function queueOf({ messages }: Lane): Priority | undefined {
  return messages.every((message) => 'replayedAs' in message && message.replayedAs === 'low') ? 'low' : undefined;
}

/** Why a message is given up. */
export type Death = Pick<DeadLetter, 'reason' | 'detail' | 'attempts'>;

export function deadLetterOf(
  { workspaceId, channelId, type, direction, priority, conversationId, messages }: Lane,
  { reason, detail, attempts }: Death,
  { ids, clock }: { readonly ids: Ids; readonly clock: Clock },
): DeadLetter {
  const diedAt = new Date(clock.now()).toISOString();
  return {
    workspaceId,
    deadLetterId: ids.next('dl'),
    channelId,
    type,
    direction,
    priority,
    conversationId,
    reason,
    detail,
    attempts,
    message: messages[0]!,
    diedAt,
  };
}
