import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { channels, clock, http, inboundHealths } from '../../wiring/channels/channels.ts';
import { channelPage } from '../domain/manage-channels.ts';
import { toChannelResponse } from '../responses.ts';
import { listChannelsRoute } from '../routes.ts';

const ports = { channels: channels() };
const healths = inboundHealths();

const endpoint = pipeline(listChannelsRoute, http, async ({ principal, query, baseUrl }) => {
  const { limit, cursor: before = null } = query;
  const page = await channelPage(principal.workspaceId, { limit, before }, ports);
  const health = await healths.of(page.channels.map(({ channelId }) => channelId));
  const shown = page.channels.map((channel) =>
    toChannelResponse(channel, baseUrl, clock.now(), health.get(channel.channelId)),
  );
  return envelopeReply(200, { channels: shown, next_cursor: page.nextCursor }, 'Channels, newest first.');
});

export const handler = bufferedHandler(endpoint);
