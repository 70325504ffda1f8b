import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, replayPorts } from '../../wiring/channels/channels.ts';
import { replayDeadLetter } from '../domain/manage-dead-letters.ts';
import { toReplayResponse } from '../responses.ts';
import { replayDeadLetterRoute } from '../routes.ts';

const ports = replayPorts();

const endpoint = pipeline(replayDeadLetterRoute, http, async ({ principal, params }) => {
  await replayDeadLetter(principal.workspaceId, params.id, ports);
  const done = { replayed: 1, skipped: 0, hasMore: false };
  return envelopeReply(202, toReplayResponse(done), 'The message is queued again.');
});

export const handler = bufferedHandler(endpoint);
