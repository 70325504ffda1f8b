import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { recordLogin } from '../audit-logins.ts';
import { logoutRoute } from '../auth-routes.ts';
import { cookies, sessions } from '../auth-wiring.ts';
import { clearedCookies } from '../session-cookies.ts';
import { http } from '../wiring.ts';

const stored = sessions();

const endpoint = pipeline(logoutRoute, http, async ({ principal, ...request }) => {
  if (principal.sessionId !== undefined) await stored.end(principal.sessionId);
  recordLogin('login.ended', { userId: principal.id, workspaceId: principal.workspaceId }, request);
  return { ...envelopeReply(200, null, 'Logged out.'), cookies: clearedCookies(cookies()) };
});

export const handler = bufferedHandler(endpoint);
