import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import type { Channel } from './channel.ts';
import type { ConversationIds } from './channel-ports.ts';
import { circuitOf } from './delivery/breaker.ts';
import type { LaneOwner, LaneQueues, Lanes, SentReplies } from './delivery/delivery-ports.ts';
import { laneMessage, laneRefOf } from './delivery/lane-runs.ts';
import type { DeadLetter, LaneId, LaneMessage } from './delivery/messages.ts';
import type { InboundMessage } from './inbound-message.ts';
import type { LateFailure, WebhookContent } from './platforms/platform.ts';

export interface AcceptPorts {
  readonly lanes: Pick<Lanes, 'accept'>;
  readonly conversationIds: ConversationIds;
  readonly sent: Pick<SentReplies, 'bury'>;
  readonly queues: LaneQueues;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Called with the reasons of messages that someone may expect an answer to, and that get none. */
  readonly onSkipped: (channelId: string, reasons: WebhookContent['skipped']) => void;
  readonly onDead: (letter: DeadLetter) => Promise<void>;
  /** Called when the platform reports a fault of the channel's account. */
  readonly onBroken: (channel: Channel, fault: LateFailure) => Promise<void>;
  /** Called when messages are stored and could not be queued: the reconciler will do it. */
  readonly onUnsent: (channelId: string, error: unknown) => void;
}

/** Takes what a verified webhook brings: messages, conversations that have moved, and replies that failed. @throws LaneFull */
export async function acceptWebhook(
  channel: Channel,
  { messages, skipped, renames, failures }: Omit<WebhookContent, 'reply'>,
  ports: AcceptPorts,
): Promise<void> {
  const { channelId } = channel;
  if (skipped.length > 0) ports.onSkipped(channelId, skipped);
  for (const rename of renames) await ports.conversationIds.lasting(channelId, rename);
  for (const failure of failures) await buryLate(channelId, failure, ports);
  const fault = failures.find(({ isChannelBroken }) => isChannelBroken);
  if (fault !== undefined && channel.problem === null) await ports.onBroken(channel, fault);
  await acceptMessages(channel, messages, ports);
}

/** Stores the messages of a verified webhook, each of them once, and queues them. @throws LaneFull */
async function acceptMessages(
  channel: Channel,
  messages: readonly InboundMessage[],
  { lanes, conversationIds, queues, ids, clock, onUnsent }: AcceptPorts,
): Promise<void> {
  const { channelId } = channel;
  const owner = laneOwner(channel);
  const laneMessages = new Map<string, LaneMessage>();
  // One after another: messages of one conversation keep their order.
  for (const message of messages.filter((each) => isAnswered(channel, each))) {
    const known = await withLastingId(channelId, message, conversationIds);
    const lane = inboundLane(channelId, known.conversationId);
    const queued = { messageId: ids.next('msg'), receivedAtMs: clock.now(), message: known };
    if (await lanes.accept(lane, owner, queued))
      laneMessages.set(known.conversationId, laneMessage(owner, laneRefOf(lane)));
  }
  if (laneMessages.size > 0)
    await queues.send([...laneMessages.values()]).catch((error: unknown) => onUnsent(channelId, error));
}

/** Direct chats are always answered, groups as the channel is set. */
export function isAnswered({ settings }: Channel, { place }: InboundMessage): boolean {
  if (place === 'direct') return true;
  switch (settings.answer_in_groups) {
    case 'all':
      return true;
    case 'never':
      return false;
    default:
      return place === 'addressed';
  }
}

/** The message under the id that its conversation, or its sender, is kept by. */
async function withLastingId(
  channelId: string,
  message: InboundMessage,
  conversationIds: ConversationIds,
): Promise<InboundMessage> {
  const { rename, conversationId, sender } = message;
  if (rename === undefined) return message;
  const lasting = await conversationIds.lasting(channelId, rename);
  const renamed = (id: string) => (id === rename.id ? lasting : id);
  return { ...message, conversationId: renamed(conversationId), sender: { ...sender, id: renamed(sender.id) } };
}

async function buryLate(
  channelId: string,
  { partId, code, detail }: LateFailure,
  { sent, ids, clock, onDead }: AcceptPorts,
): Promise<void> {
  const diedAt = new Date(clock.now()).toISOString();
  const death = { deadLetterId: ids.next('dl'), reason: code, detail, attempts: 1, diedAt };
  const letter = await sent.bury(channelId, partId, death);
  if (letter !== null) await onDead(letter);
}

export function laneOwner(channel: Channel): LaneOwner {
  return { workspaceId: channel.workspaceId, type: channel.type, circuit: circuitOf(channel) };
}

export function inboundLane(channelId: string, conversationId: string): LaneId<'inbound'> {
  return { channelId, direction: 'inbound', priority: null, conversationId };
}
