import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { acceptWebhook } from '../domain/accept-webhook.ts';
import { platforms } from '../domain/platforms/platforms.ts';
import { publishMessages } from '../publish-messages.ts';
import { handleWebhookRoute } from '../routes.ts';
import { acceptPorts, signedHttp, webhooks } from '../wiring.ts';

const ports = acceptPorts();

const endpoint = pipeline(handleWebhookRoute, signedHttp, async ({ rawBody }) => {
  const { channel, access, request } = webhooks().verified(rawBody);
  const { reply, ...content } = platforms[channel.type].read(request, access);
  await acceptWebhook(channel, content, ports);
  // Before the platform is answered, so that after a crash it sends the message again.
  await publishMessages(channel, content.messages);
  return reply;
});

export const handler = bufferedHandler(endpoint);
