import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { deadLetters, http } from '../../wiring/channels/channels.ts';
import { removeDeadLetter } from '../domain/manage-dead-letters.ts';
import { removeDeadLetterRoute } from '../routes.ts';

const ports = { deadLetters: deadLetters() };

const endpoint = pipeline(removeDeadLetterRoute, http, async ({ principal, params }) => {
  await removeDeadLetter(principal.workspaceId, params.id, ports);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
