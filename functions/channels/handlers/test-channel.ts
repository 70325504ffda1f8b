import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, testPorts } from '../../wiring/channels/channels.ts';
import { testChannel } from '../domain/test-channel.ts';
import { toTestResponse } from '../responses.ts';
import { testChannelRoute } from '../routes.ts';

const ports = testPorts();

const endpoint = pipeline(testChannelRoute, http, async ({ principal, params, body }) => {
  const outcome = await testChannel({ workspaceId: principal.workspaceId, channelId: params.id }, body, ports);
  const message = outcome.kind === 'delivered' ? 'The platform has taken the message.' : 'The platform has refused it.';
  return envelopeReply(200, toTestResponse(outcome), message);
});

export const handler = bufferedHandler(endpoint);
