import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import {
  acceptPorts,
  addressedChannelsPorts,
  openThreads,
  signedHttp,
  webhooks,
} from '../../wiring/channels/channels.ts';
import { serviceEvents } from '../../wiring/shared/service-events.ts';
import { acceptWebhook } from '../domain/accept-webhook.ts';
import { addressedChannels } from '../domain/addressed-channels.ts';
import { withOpenThreads } from '../domain/open-threads.ts';
import { ACKNOWLEDGED, type WebhookReply } from '../domain/platforms/platform.ts';
import { platforms } from '../domain/platforms/platforms.ts';
import { publishMessages } from '../publish-messages.ts';
import { handleWebhookRoute } from '../routes.ts';

const ports = acceptPorts();
const addressedPorts = addressedChannelsPorts();
const threads = openThreads();
const events = serviceEvents();

const endpoint = pipeline(handleWebhookRoute, signedHttp, async ({ rawBody }) => {
  const verified = webhooks().verified(rawBody);
  const { request } = verified;
  let answer: WebhookReply | null = null;
  for (const { channel, access } of await addressedChannels(verified, addressedPorts)) {
    const { reply, ...content } = platforms[channel.type].read(request, access);
    const messages = await withOpenThreads(channel.channelId, content.messages, threads);
    await acceptWebhook(channel, { ...content, messages }, ports);
    // Before the platform is answered, so that after a crash it sends the message again.
    await publishMessages(channel, messages, events);
    answer ??= reply;
  }
  return answer ?? ACKNOWLEDGED;
});

export const handler = bufferedHandler(endpoint);
