import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { channels, clock, http, inboundHealths } from '../../wiring/channels/channels.ts';
import { findChannel } from '../domain/manage-channels.ts';
import { toChannelResponse } from '../responses.ts';
import { getChannelRoute } from '../routes.ts';

const ports = { channels: channels() };
const healths = inboundHealths();

const endpoint = pipeline(getChannelRoute, http, async ({ principal, params, baseUrl }) => {
  const found = await findChannel({ workspaceId: principal.workspaceId, channelId: params.id }, ports);
  const health = await healths.of([found.channelId]);
  return envelopeReply(200, toChannelResponse(found, baseUrl, clock.now(), health.get(params.id)), 'The channel.');
});

export const handler = bufferedHandler(endpoint);
