import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/channels/channels.ts';
import { managePorts } from '../../wiring/channels/manage-channels.ts';
import { createChannel } from '../domain/manage-channels.ts';
import { given, toChannelResponse } from '../responses.ts';
import { createChannelRoute } from '../routes.ts';

const ports = managePorts();

const endpoint = pipeline(createChannelRoute, http, async ({ principal, body, baseUrl }) => {
  const { application_id: applicationId, settings, ...draft } = body;
  const created = await createChannel(
    principal.workspaceId,
    { ...draft, applicationId, settings: given(settings) },
    ports,
  );
  return {
    ...envelopeReply(201, toChannelResponse(created, baseUrl, ports.clock.now()), 'The channel is created.'),
    headers: { location: `/api/v1/channels/${created.channelId}` },
  };
});

export const handler = bufferedHandler(endpoint);
