import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { auditPorts, http } from '../../wiring/accounts/accounts.ts';
import { cookies, loginPorts } from '../../wiring/accounts/auth.ts';
import { loginAudit } from '../audit-logins.ts';
import { toTokensResponse } from '../auth-responses.ts';
import { loginRoute } from '../auth-routes.ts';
import { logIn } from '../domain/log-in.ts';
import { rememberAddress } from '../known-address.ts';
import { clientOf, isBrowser, withSession } from '../session-reply.ts';

const ports = loginPorts();

const allowedOrigins = http.corsOrigins();
const { recordLogin, recordRefusal } = loginAudit(auditPorts());

const endpoint = pipeline(loginRoute, http, async ({ headers, body, baseUrl, ...request }) => {
  const attempt = { ...body, isBrowser: isBrowser(headers, { baseUrl, allowedOrigins }), client: clientOf(request) };
  const { user, tokens, cookie } = await logIn(attempt, ports).catch((error: unknown) =>
    recordRefusal('login.failed', error, request),
  );
  recordLogin('login.succeeded', user, request);
  rememberAddress(user, request, http.limits());
  return withSession(envelopeReply(200, toTokensResponse(tokens), 'Logged in.'), cookie, cookies());
});

export const handler = bufferedHandler(endpoint);
