import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { auditPorts, http } from '../../wiring/accounts/accounts.ts';
import { cookies, loginPorts } from '../../wiring/accounts/auth.ts';
import { signInPorts } from '../../wiring/accounts/sso.ts';
import { loginAudit } from '../audit-logins.ts';
import { originBy } from '../audit-origin.ts';
import { toTokensResponse } from '../auth-responses.ts';
import { startSession } from '../domain/log-in.ts';
import { completeSignIn } from '../domain/sign-in.ts';
import { rememberAddress } from '../known-address.ts';
import { setSignInCookie, signInCookie } from '../session-cookies.ts';
import { clientOf, isBrowser, withSession } from '../session-reply.ts';
import { completeSignInRoute } from '../sso-routes.ts';

const ports = signInPorts();
// The provider has asked for a second factor, or has not: its word counts.
const sessionPorts = { ...loginPorts(), requiresSecondFactor: async () => false };
const allowedOrigins = http.corsOrigins();
const { recordLogin, recordRefusal } = loginAudit(auditPorts());

const endpoint = pipeline(completeSignInRoute, http, async ({ headers, body, baseUrl, ...request }) => {
  const secret = request.cookies[signInCookie(body.state)];
  const originOfUser = (id: string) => originBy({ kind: 'user', id }, request);
  const user = await completeSignIn(body, secret, originOfUser, ports).catch((error: unknown) =>
    recordRefusal('login.failed', error, request, 'single sign-on'),
  );
  recordLogin('login.succeeded', user, request, 'single sign-on');
  rememberAddress(user, request, http.limits());
  const browser = isBrowser(headers, { baseUrl, allowedOrigins });
  const { tokens, cookie } = await startSession(user, browser, sessionPorts, clientOf(request));
  const reply = withSession(envelopeReply(200, toTokensResponse(tokens), 'Signed in.'), cookie, cookies());
  return { ...reply, cookies: [...(reply.cookies ?? []), setSignInCookie(body.state, '', 0, cookies())] };
});

export const handler = bufferedHandler(endpoint);
