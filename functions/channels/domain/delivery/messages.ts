import type { ChannelType } from '../channel.ts';
import type { InboundMessage, ReplyTarget } from '../inbound-message.ts';
import type { PreviousAttempt } from '../platforms/platform.ts';

/** high: notices of errors; normal: replies; low: bulk replays. Each priority has its own queue. */
export const PRIORITIES = ['high', 'normal', 'low'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** A message from a platform that waits for its answer. */
export interface QueuedInbound {
  readonly messageId: string;
  readonly receivedAtMs: number;
  readonly message: InboundMessage;
}

/** One part of a reply that waits for its delivery. */
export interface QueuedOutbound {
  /** The platform's key against duplicates, where it has one. */
  readonly messageId: string;
  readonly createdAtMs: number;
  readonly text: string;
  /** Further messages of the same call, where the platform takes several. */
  readonly more?: readonly string[];
  /** Absent where a text is sent as it is. */
  readonly format?: 'html';
  readonly target: ReplyTarget;
  /** Parts of its reply. */
  readonly parts?: number;
  /** Set on a dead letter that was put back: the priority that it was put back with. */
  readonly replayedAs?: Priority;
}

/** The parts of a reply have its id, and their place in it. */
export const partId = (replyId: string, index: number) => `${replyId}${String(index).padStart(3, '0')}`;
export const replyIdOf = (id: string) => id.slice(0, -3);
export const indexOf = (id: string) => Number(id.slice(-3));

export type Direction = 'inbound' | 'outbound';

interface LaneOf<D extends Direction> {
  readonly channelId: string;
  readonly direction: D;
  readonly priority: D extends 'inbound' ? null : Priority;
  readonly conversationId: string;
}

/**
 * The messages of one conversation in one direction, processed one after another. Lanes of different conversations are independent.
 * Notices (high) have their own lane; replies and replays share one, which keeps them in order.
 */
export type LaneId<D extends Direction = Direction> = LaneOf<D>;

/** The lookup key of a lane: `conversation` is a hash of the conversation's id. */
export interface LaneRef<D extends Direction = Direction> extends Omit<LaneId<D>, 'conversationId'> {
  readonly conversation: string;
}

export type MessageOf<D extends Direction> = D extends 'inbound' ? QueuedInbound : QueuedOutbound;

/** A lane that a run holds the lease on. */
export interface Lane<D extends Direction = Direction> extends LaneId<D>, LaneRef<D> {
  readonly workspaceId: string;
  readonly type: ChannelType;
  /** Scope of the circuit breaker that was the channel's when the messages were queued. */
  readonly circuit: string;
  readonly fence: string;
  /** In their order; those that were known at the last read. */
  readonly messages: readonly MessageOf<D>[];
  /** Failed attempts at the first of them. */
  readonly attempts: number;
  /** When the first of them failed for the first time; null before. */
  readonly failingSinceMs: number | null;
  /** How the last attempt at the first of them ended; null before the first attempt. */
  readonly previous: PreviousAttempt | null;
  /** Messages that were ever put into the lane. */
  readonly appended: number;
}

/** A lane as the reconciler finds it. */
export interface WaitingLane extends LaneRef {
  readonly workspaceId: string;
  /** When a queue message for it may be taken for lost: it is due since then, and no run holds it. */
  readonly dueSinceMs: number;
  readonly queuedAtMs: number;
  readonly requeues: number;
  readonly isLeased: boolean;
  readonly oldestMessageAtMs: number;
}

export interface DeadLetter {
  readonly workspaceId: string;
  readonly deadLetterId: string;
  readonly channelId: string;
  readonly type: ChannelType;
  readonly direction: Direction;
  readonly priority: Priority | null;
  readonly conversationId: string;
  /** Why it was given up, as a short stable word. */
  readonly reason: string;
  /** The same in the platform's own words; null where it said nothing. */
  readonly detail: string | null;
  readonly attempts: number;
  readonly message: QueuedInbound | QueuedOutbound;
  readonly diedAt: string;
}

/** Dead letters are kept for so long. */
export const DEAD_LETTER_KEPT_SECONDS = 30 * 24 * 60 * 60;
/** Replies that an outage kept back are delivered before the next reply of their conversation for so long. */
export const OUTAGE_LETTER_SECONDS = 24 * 60 * 60;

/** A message of the queues: a lane has something to do. */
export interface LaneMessage extends LaneRef {
  /** Its tenant: the queues are fair among these. */
  readonly workspaceId: string;
  /** Priority of the queue that it goes through; without it, the lane's. */
  readonly queue?: Priority | undefined;
  /** Of a waiting lane: the time it waits for, which distinguishes this message from others of the lane. */
  readonly atMs?: number | undefined;
}
