import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { clock, http, replayPorts } from '../../wiring/channels/channels.ts';
import { replayMatching, replayNamed } from '../domain/manage-dead-letters.ts';
import { toDeadLetterFilter, toReplayResponse } from '../responses.ts';
import { replayDeadLettersRoute } from '../routes.ts';

const ports = replayPorts();
/** For the page under way when time runs out. */
const RESERVE_MS = 5_000;

const endpoint = pipeline(replayDeadLettersRoute, http, async ({ principal, body, deadlineMs }) => {
  const { workspaceId } = principal;
  const { ids, filter = {} } = body;
  const until = { untilMs: deadlineMs - RESERVE_MS, now: () => clock.now() };
  const done = ids
    ? await replayNamed(workspaceId, [...new Set(ids)], ports)
    : await replayMatching(workspaceId, toDeadLetterFilter(filter), until, ports);
  return envelopeReply(202, toReplayResponse(done), 'The messages are queued again.');
});

export const handler = bufferedHandler(endpoint);
