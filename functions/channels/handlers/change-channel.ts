import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { changeChannel } from '../domain/manage-channels.ts';
import { managePorts } from '../manage-wiring.ts';
import { toChannelChange, toChannelResponse } from '../responses.ts';
import { changeChannelRoute } from '../routes.ts';
import { http } from '../wiring.ts';

const ports = managePorts();

const endpoint = pipeline(changeChannelRoute, http, async ({ principal, params, body, baseUrl }) => {
  const id = { workspaceId: principal.workspaceId, channelId: params.id };
  const next = await changeChannel(id, toChannelChange(body), ports);
  return envelopeReply(200, toChannelResponse(next, baseUrl, ports.clock.now()), 'The channel is changed.');
});

export const handler = bufferedHandler(endpoint);
