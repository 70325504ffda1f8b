import type { Channel, ChannelType } from '../channel.ts';
import type { ChannelAccess, Platform, PreviousAttempt, ReplyPart } from '../platforms/platform.ts';
import type { SendOutcome } from '../platforms/send-outcome.ts';
import type { Breaker } from './breaker.ts';
import type {
  DeadLetter,
  Direction,
  Lane,
  LaneId,
  LaneMessage,
  LaneRef,
  QueuedInbound,
  QueuedOutbound,
  WaitingLane,
} from './messages.ts';

export type LaneAcquisition<D extends Direction> =
  | { readonly kind: 'acquired'; readonly lane: Lane<D> }
  /** Another run holds it: that run sees every message that was put in before it ends. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'waiting'; readonly untilMs: number }
  | { readonly kind: 'ended' };

/** Members that the lanes of a channel have in common. */
export interface LaneOwner {
  readonly workspaceId: string;
  readonly type: ChannelType;
  readonly circuit: string;
}

/** The lane has as many undelivered messages as it can hold. */
export class LaneFull extends Error {
  override name = 'LaneFull';
}

/** The messages that are not worked off. Every change is one conditional write, or one transaction. */
export interface Lanes {
  /** Stores a message unless its event is known already. @returns false when it is. @throws LaneFull */
  accept(lane: LaneId<'inbound'>, owner: LaneOwner, message: QueuedInbound): Promise<boolean>;
  /** Queues replies unless some were queued under the key in the last days. @returns false when they were. @throws LaneFull */
  appendOnce(key: string, replies: Append): Promise<boolean>;
  acquire<D extends Direction>(
    ref: LaneRef<D>,
    fence: string,
    nowMs: number,
    untilMs: number,
  ): Promise<LaneAcquisition<D>>;
  /** Records that an attempt at the first message starts: should its outcome get lost, the next attempt knows. @throws LeaseLost */
  begin(lane: Lane): Promise<void>;
  /** Takes the first message out. @returns null when it was the last one, and the lane is no more. @throws LeaseLost */
  removeHead<D extends Direction>(lane: Lane<D>): Promise<Lane<D> | null>;
  /** As `removeHead` of the first `count` messages, and stores a dead letter. @throws LeaseLost, LaneFull */
  buryHead<D extends Direction>(lane: Lane<D>, letter: DeadLetter, burial?: Burial): Promise<Lane<D> | null>;
  /** As `removeHead` of the first `count` messages, and queues the replies. @throws LeaseLost, LaneFull */
  answerHead(lane: Lane<'inbound'>, replies: Append, count?: number): Promise<Lane<'inbound'> | null>;
  /** Gives the lane back until a time. @throws LeaseLost */
  wait(
    lane: Lane,
    wait: {
      readonly untilMs: number;
      readonly attempts: number;
      readonly failingSinceMs: number | null;
      readonly previous: PreviousAttempt | null;
    },
  ): Promise<void>;
  /** Gives the lane back as it is. */
  release(lane: Lane): Promise<void>;
  /** Makes a lane that waits due at once. */
  makeDue(ref: LaneRef): Promise<void>;
  list(channelId: string, direction: Direction): AsyncIterable<WaitingLane>;
  /** Counts a further queue message. @param force also takes the lease from a run that is gone. @returns false when it has changed. */
  requeue(lane: WaitingLane, nowMs: number, force: boolean): Promise<boolean>;
}

export interface Burial {
  /** Put into its own lane. */
  readonly notice?: Append | null;
  /** 1 unless it says otherwise. */
  readonly count?: number;
  /** The letter is one of an outage: it is found by `DeadLetters.ofOutage`. */
  readonly isOfOutage?: boolean;
}

export interface Append {
  readonly lane: LaneId<'outbound'>;
  readonly owner: LaneOwner;
  readonly messages: readonly QueuedOutbound[];
}

export interface DeadLetterFilter {
  readonly channelId?: string | undefined;
  readonly type?: ChannelType | undefined;
  readonly direction?: Direction | undefined;
  readonly reason?: string | undefined;
  /** Died after this ISO time, or before. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export interface DeadLetters {
  find(workspaceId: string, deadLetterId: string): Promise<DeadLetter | null>;
  /** Newest first. @param before only those older than the one of this id. */
  list(workspaceId: string, filter: DeadLetterFilter, limit: number, before: string | null): Promise<DeadLetter[]>;
  /** Oldest first. @param after only those newer than the one of this id. */
  listOldest(workspaceId: string, filter: DeadLetterFilter, limit: number, after: string | null): Promise<DeadLetter[]>;
  /** Replies of a conversation that an outage kept back, not older than `OUTAGE_LETTER_SECONDS`, oldest first. */
  ofOutage(lane: LaneRef, limit: number): Promise<DeadLetter[]>;
  /** As `ofOutage`, of all conversations of a channel, those of each conversation in their order. */
  ofChannelOutage(channelId: string, limit: number): Promise<DeadLetter[]>;
  /** Puts it back into a lane. @returns false when it is no longer there. @throws LaneFull */
  replay(letter: DeadLetter, lane: LaneId, owner: LaneOwner): Promise<boolean>;
  /** @returns false when it is not there. */
  remove(letter: DeadLetter): Promise<boolean>;
}

/** The part of a dead letter that is known while its reply is being sent. */
export type SentReply = Omit<DeadLetter, 'deadLetterId' | 'reason' | 'detail' | 'attempts' | 'diedAt'>;

/** Replies of platforms that report later what they could not deliver. */
export interface SentReplies {
  /** Kept for some days. */
  remember(sent: SentReply): Promise<void>;
  /** Makes a dead letter of it, once. @returns null when it is not known, or is one already. */
  bury(
    channelId: string,
    partId: string,
    death: Pick<DeadLetter, 'deadLetterId' | 'reason' | 'detail' | 'attempts' | 'diedAt'>,
  ): Promise<DeadLetter | null>;
}

/** One queue for what comes in, and one for each priority of what goes out. */
export interface LaneQueues {
  send(messages: readonly LaneMessage[], delaySeconds?: number): Promise<void>;
}

export interface Breakers {
  /** @returns null before its first error. */
  find(circuit: string): Promise<Breaker | null>;
  /**
   * Conditional on the record being unchanged since it was read.
   * @param seen null if there was no record.
   */
  replace(seen: Breaker | null, next: Breaker): Promise<boolean>;
}

/** The channel of a lane, as an active one was some seconds ago at most, and its breaker as it is, in one read. */
export interface DeliveryReads {
  channelAndBreaker(
    channelId: string,
    circuit: string,
  ): Promise<{ readonly channel: Channel | null; readonly breaker: Breaker | null }>;
}

export interface Sender {
  /** Sends one part, and judges the answer. Never throws for what the platform does. */
  send(platform: Platform, part: ReplyPart, access: ChannelAccess): Promise<SendOutcome>;
}

export interface ChannelSecrets {
  /** The channel's secrets in the clear. */
  open(channel: Channel, nowMs: number): Promise<ChannelAccess>;
}
