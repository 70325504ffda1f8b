import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { auditPorts, http } from '../../wiring/accounts/accounts.ts';
import { confirmationPorts, cookies, loginPorts } from '../../wiring/accounts/auth.ts';
import { loginAudit } from '../audit-logins.ts';
import { originBy } from '../audit-origin.ts';
import { toTokensResponse } from '../auth-responses.ts';
import { confirmEmailRoute } from '../auth-routes.ts';
import { confirmEmail } from '../domain/confirm-email.ts';
import { startSession } from '../domain/log-in.ts';
import { rememberAddress } from '../known-address.ts';
import { clientOf, isBrowser, withSession } from '../session-reply.ts';

const ports = { ...confirmationPorts(), ...loginPorts() };
const allowedOrigins = http.corsOrigins();
const { recordRefusal } = loginAudit(auditPorts());

const endpoint = pipeline(confirmEmailRoute, http, async ({ body, headers, baseUrl, ...request }) => {
  const user = await confirmEmail(body, (id) => originBy({ kind: 'user', id }, request), ports).catch(
    (error: unknown) => recordRefusal('login.failed', error, request),
  );
  rememberAddress(user, request, http.limits());
  const { tokens, cookie } = await startSession(
    user,
    isBrowser(headers, { baseUrl, allowedOrigins }),
    ports,
    clientOf(request),
  );
  return withSession(envelopeReply(200, toTokensResponse(tokens), 'Your address is confirmed.'), cookie, cookies());
});

export const handler = bufferedHandler(endpoint);
