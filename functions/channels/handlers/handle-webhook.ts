import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { acceptWebhook } from '../domain/accept-webhook.ts';
import { platforms } from '../domain/platforms/platforms.ts';
import { handleWebhookRoute } from '../routes.ts';
import { acceptPorts, signedHttp, webhooks } from '../wiring.ts';

const ports = acceptPorts();

const endpoint = pipeline(handleWebhookRoute, signedHttp, async ({ rawBody }) => {
  const { channel, access, request } = webhooks().verified(rawBody);
  const { reply, ...content } = platforms[channel.type].read(request, access);
  await acceptWebhook(channel, content, ports);
  return reply;
});

export const handler = bufferedHandler(endpoint);
