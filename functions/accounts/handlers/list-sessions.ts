import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { ownSessionPorts } from '../../wiring/accounts/auth.ts';
import { toSessionResponse } from '../auth-responses.ts';
import { ownSessions } from '../domain/own-sessions.ts';
import { listSessionsRoute } from '../session-routes.ts';

const ports = ownSessionPorts();

const endpoint = pipeline(listSessionsRoute, http, async ({ principal }) => {
  const found = await ownSessions(principal.id, ports);
  const shown = found.map((session) => toSessionResponse(session, principal.sessionId));
  return envelopeReply(200, shown, 'Your sessions.');
});

export const handler = bufferedHandler(endpoint);
