import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { channels, http } from '../../wiring/channels/channels.ts';
import { removeChannel } from '../domain/manage-channels.ts';
import { removeChannelRoute } from '../routes.ts';

const ports = { channels: channels() };

const endpoint = pipeline(removeChannelRoute, http, async ({ principal, params }) => {
  await removeChannel({ workspaceId: principal.workspaceId, channelId: params.id }, ports);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
