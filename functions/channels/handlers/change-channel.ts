import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { allQueues, http, inboundHealths, lanes } from '../../wiring/channels/channels.ts';
import { managePorts } from '../../wiring/channels/manage-channels.ts';
import { wakeLanes } from '../domain/delivery/lane-runs.ts';
import { changeChannel } from '../domain/manage-channels.ts';
import { toChannelChange, toChannelResponse } from '../responses.ts';
import { changeChannelRoute } from '../routes.ts';

const ports = managePorts();
const healths = inboundHealths();
const waiting = { lanes: lanes(), queues: allQueues() };

const endpoint = pipeline(changeChannelRoute, http, async ({ principal, params, body, baseUrl }) => {
  const id = { workspaceId: principal.workspaceId, channelId: params.id };
  const change = toChannelChange(body);
  const onFreed = () => wakeLanes(id, waiting);
  const next = await changeChannel(id, change, { ...ports, onFreed });
  const health = await healths.of([next.channelId]);
  const shown = toChannelResponse(next, baseUrl, ports.clock.now(), health.get(next.channelId));
  return envelopeReply(200, shown, 'The channel is changed.');
});

export const handler = bufferedHandler(endpoint);
