import type { ServiceEvent, ServiceEvents } from '../shared/ports/service-events.ts';
import { isAnswered } from './domain/accept-webhook.ts';
import type { Channel } from './domain/channel.ts';
import type { InboundMessage } from './domain/inbound-message.ts';
import { withQuotes } from './domain/text/quotes.ts';

/** Notifies workflows of the messages of a channel that are meant for its application. */
export async function publishMessages(
  channel: Channel,
  messages: readonly InboundMessage[],
  events: ServiceEvents,
): Promise<void> {
  const answered = messages.filter((message) => isAnswered(channel, message));
  if (answered.length === 0) return;
  await events.publish(channel.workspaceId, 'message.received', () =>
    answered.map((message) => eventOf(channel, message)),
  );
}

function eventOf({ channelId, type }: Channel, message: InboundMessage): ServiceEvent {
  const { eventId, conversationId, sender, attachments } = message;
  const files = attachments.flatMap(({ source }) => (source.kind === 'public' ? [source.url] : []));
  const place = { channel_id: channelId, channel_type: type, conversation_id: conversationId };
  return { id: `${channelId} ${eventId}`, data: { ...place, sender, text: withQuotes(message), files } };
}
