import { serviceEvents } from '../service-events.ts';
import { isAnswered } from './domain/accept-webhook.ts';
import type { Channel } from './domain/channel.ts';
import type { InboundMessage } from './domain/inbound-message.ts';

/** Notifies workflows of the messages of a channel that are meant for its application. */
export async function tellMessages(channel: Channel, messages: readonly InboundMessage[]): Promise<void> {
  const { workspaceId, channelId, type } = channel;
  for (const message of messages.filter((each) => isAnswered(channel, each)))
    await serviceEvents().tell(workspaceId, 'message.received', async () => {
      const { eventId, conversationId, sender, text, attachments } = message;
      const files = attachments.flatMap(({ source }) => (source.kind === 'public' ? [source.url] : []));
      const place = { channel_id: channelId, channel_type: type, conversation_id: conversationId };
      return { id: `${channelId} ${eventId}`, data: { ...place, sender, text, files } };
    });
}
