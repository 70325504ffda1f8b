import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { breakerSettings, channels, http, statuses } from '../../wiring/channels/channels.ts';
import { webhookStatus } from '../domain/webhook-status.ts';
import { toStatusResponse } from '../responses.ts';
import { getWebhookStatusRoute } from '../routes.ts';

const ports = { channels: channels(), statuses: statuses() };
const settings = breakerSettings();

const endpoint = pipeline(getWebhookStatusRoute, http, async ({ principal }) => {
  const platforms = await webhookStatus(principal.workspaceId, ports);
  return envelopeReply(200, toStatusResponse(platforms, settings), 'Queues and circuits, by platform.');
});

export const handler = bufferedHandler(endpoint);
