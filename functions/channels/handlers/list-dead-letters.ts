import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { deadLetters, http } from '../../wiring/channels/channels.ts';
import { deadLetterPage } from '../domain/manage-dead-letters.ts';
import { toDeadLetterFilter, toDeadLetterResponse } from '../responses.ts';
import { listDeadLettersRoute } from '../routes.ts';

const ports = { deadLetters: deadLetters() };

const endpoint = pipeline(listDeadLettersRoute, http, async ({ principal, query }) => {
  const { limit, cursor: before = null, ...filter } = query;
  const wanted = { filter: toDeadLetterFilter(filter), limit, before };
  const page = await deadLetterPage(principal.workspaceId, wanted, ports);
  const data = { dead_letters: page.deadLetters.map(toDeadLetterResponse), next_cursor: page.nextCursor };
  return envelopeReply(200, data, 'Dead letters, newest first.');
});

export const handler = bufferedHandler(endpoint);
