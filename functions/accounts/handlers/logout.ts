import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { auditPorts, http } from '../../wiring/accounts/accounts.ts';
import { cookies, sessions } from '../../wiring/accounts/auth.ts';
import { loginAudit } from '../audit-logins.ts';
import { logoutRoute } from '../auth-routes.ts';
import { clearedCookies } from '../session-cookies.ts';

const stored = sessions();
const { recordLogin } = loginAudit(auditPorts());

const endpoint = pipeline(logoutRoute, http, async ({ principal, ...request }) => {
  if (principal.sessionId !== undefined) await stored.end(principal.sessionId);
  recordLogin('login.ended', { userId: principal.id, workspaceId: principal.workspaceId }, request);
  return { ...envelopeReply(200, null, 'Logged out.'), cookies: clearedCookies(cookies()) };
});

export const handler = bufferedHandler(endpoint);
