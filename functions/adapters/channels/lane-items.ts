import type { ChannelType } from '../../channels/domain/channel.ts';
import type { LaneOwner } from '../../channels/domain/delivery/delivery-ports.ts';
import { laneRefOf } from '../../channels/domain/delivery/lane-runs.ts';
import type { Direction, Lane, LaneId, LaneRef, MessageOf } from '../../channels/domain/delivery/messages.ts';
import type { PreviousAttempt } from '../../channels/domain/platforms/platform.ts';
import { atMost, type Change, missing, or } from '../dynamodb/expressions.ts';
import { epochSeconds, laneKey } from '../dynamodb/keys.ts';
import type { Item, Key } from '../dynamodb/table.ts';

/** A lane as it is stored, with an additional attribute for each message: its JSON under its id. */
export interface LaneItem extends Item {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly type: ChannelType;
  readonly circuit: string;
  readonly direction: Direction;
  readonly conversationId: string;
  readonly status?: 'waiting' | 'leased';
  readonly leaseUntilMs?: number;
  readonly notBeforeMs?: number;
  readonly failing?: {
    readonly messageId: string;
    readonly attempts: number;
    readonly sinceMs: number | null;
    readonly previous?: PreviousAttempt | null;
  };
  /** Id of the message whose attempt has started and has no recorded outcome. */
  readonly begun?: string;
  readonly appended: number;
  /** Of the messages that it holds. */
  readonly pending: number;
  readonly bytes: number;
  readonly queuedAtMs: number;
  readonly requeues: number;
  readonly expiresAt: number;
}

/** An attempt whose worker died. */
const CUT_SHORT: PreviousAttempt = { code: '', isUnknown: true };

/** An item has at most 400 KB. */
const MAX_LANE_BYTES = 300 * 1024;
/** Far longer than any message waits; a lane that is left behind by a removed channel goes then. */
const LANE_KEPT_SECONDS = 14 * 24 * 60 * 60;
const MESSAGE = 'm_';

/** Names of attributes in expressions are made of letters, digits and underscores. */
export const messageAttribute = (messageId: string) => `${MESSAGE}${messageId.replaceAll(/\W/g, '_')}`;

export function keyOfLane({ channelId, direction, priority, conversation }: LaneRef): Key {
  return laneKey(channelId, direction, priority, conversation);
}

export function sizeOf(message: MessageOf<Direction>): number {
  return Buffer.byteLength(JSON.stringify(message));
}

/** Puts messages into a lane, and makes the lane where there is none. Holds unless it is full. */
export function appendChange(
  { channelId, direction, conversationId }: LaneId,
  { workspaceId, type, circuit }: LaneOwner,
  messages: readonly MessageOf<Direction>[],
  nowMs: number,
): Change {
  const bytes = messages.reduce((sum, message) => sum + sizeOf(message), 0);
  return {
    orCreate: true,
    set: {
      ...{ workspaceId, channelId, type, circuit, direction, conversationId, queuedAtMs: nowMs, requeues: 0 },
      expiresAt: epochSeconds(nowMs) + LANE_KEPT_SECONDS,
      ...Object.fromEntries(messages.map((message) => [messageAttribute(message.messageId), JSON.stringify(message)])),
    },
    add: { appended: messages.length, pending: messages.length, bytes },
    condition: or(missing('bytes'), atMost('bytes', MAX_LANE_BYTES - bytes)),
  };
}

/** In the order of their ids, which is that of time. */
export function messagesOf<D extends Direction>(item: Item): MessageOf<D>[] {
  const names = Object.keys(item)
    .filter((name) => name.startsWith(MESSAGE))
    .sort();
  return names.map((name) => JSON.parse(String(item[name])) as MessageOf<D>);
}

export function laneOf<D extends Direction>(item: LaneItem, ref: LaneRef<D>, fence: string): Lane<D> {
  const { workspaceId, type, circuit, conversationId, failing, begun, appended } = item;
  const messages = messagesOf<D>(item);
  const isFailing = failing !== undefined && failing.messageId === messages[0]?.messageId;
  return {
    ...{ ...ref, workspaceId, type, circuit, conversationId, fence, messages, appended },
    attempts: isFailing ? failing.attempts : 0,
    failingSinceMs: isFailing ? failing.sinceMs : null,
    previous:
      begun !== undefined && begun === messages[0]?.messageId ? CUT_SHORT : (isFailing && failing.previous) || null,
  };
}

/** The reference in a stored lane's own key. */
export function refOfItem({ channelId, direction, conversationId, sk }: LaneItem & Key): LaneRef {
  const priority = sk.slice(0, sk.indexOf('#'));
  return laneRefOf({
    ...{ channelId, direction, conversationId },
    priority: priority === 'none' ? null : priority,
  } as LaneId);
}
