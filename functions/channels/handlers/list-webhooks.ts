import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { channels, http } from '../../wiring/channels/channels.ts';
import { channelPage } from '../domain/manage-channels.ts';
import { toWebhookResponse } from '../responses.ts';
import { listWebhooksRoute } from '../routes.ts';

const ports = { channels: channels() };

const endpoint = pipeline(listWebhooksRoute, http, async ({ principal, query, baseUrl }) => {
  const { limit, cursor: before = null } = query;
  const page = await channelPage(principal.workspaceId, { limit, before }, ports);
  const shown = page.channels.map((channel) => toWebhookResponse(channel, baseUrl));
  return envelopeReply(200, { webhooks: shown, next_cursor: page.nextCursor }, 'Webhooks, newest first.');
});

export const handler = bufferedHandler(endpoint);
