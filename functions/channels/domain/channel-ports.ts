import type { Channel, ChannelType } from './channel.ts';
import type { Breaker } from './delivery/breaker.ts';
import type { Rename } from './inbound-message.ts';

/** Stored channels. Reads are strongly consistent. */
export interface Channels {
  /** By its id alone: webhooks know no workspace. */
  find(channelId: string): Promise<Channel | null>;
  /** As an active channel was some seconds ago; null where it was not read since then. */
  recent(channelId: string): Channel | null;
  /** Ids of the channels of a type, of all workspaces; at most `limit`. */
  idsOfType(type: ChannelType, limit: number): Promise<string[]>;
  /** In the order of creation, newest first. @param before only those older than the channel of this id. */
  list(workspaceId: string, limit: number, before: string | null): Promise<Channel[]>;
  create(channel: Channel): Promise<void>;
  /** Stores `next` in the place of `seen`. @returns false when it has changed since it was read. */
  replace(seen: Channel, next: Channel): Promise<boolean>;
  /** @returns false when it has changed, or is gone, since it was read. */
  remove(seen: Channel): Promise<boolean>;
  /** Ids of all channels. */
  allIds(): AsyncIterable<string>;
}

/** Conversations and people whose id at the platform changes: a number that goes away, a group that is moved. */
export interface ConversationIds {
  /**
   * The id under which a conversation is stored: it stays the same, regardless of which of its ids a message names. An earlier id is
   * never given to another conversation, since a number may get a new owner.
   */
  lasting(channelId: string, rename: Rename): Promise<string>;
}

/** Undelivered messages of a channel by their priority, and those that wait for an answer. */
export interface QueueDepth {
  readonly inbound: number;
  readonly high: number;
  readonly normal: number;
  readonly low: number;
}

export interface ChannelStatuses {
  depth(channelId: string): Promise<QueueDepth>;
  breakers(circuits: readonly string[]): Promise<readonly Breaker[]>;
}
