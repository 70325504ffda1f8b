import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { cookies, loginPorts, secondFactorPorts } from '../../wiring/accounts/auth.ts';
import { originOf } from '../audit-origin.ts';
import { toTokensResponse } from '../auth-responses.ts';
import { startSession } from '../domain/log-in.ts';
import { confirmEnrolment } from '../domain/second-factor.ts';
import { confirmSecondFactorRoute } from '../second-factor-routes.ts';
import { clientOf, isBrowser, withSession } from '../session-reply.ts';

const ports = secondFactorPorts();
const sessionPorts = loginPorts();
const allowedOrigins = http.corsOrigins();

const endpoint = pipeline(confirmSecondFactorRoute, http, async ({ body, headers, baseUrl, ...request }) => {
  const { user, recoveryCodes } = await confirmEnrolment(request.principal.id, body.code, originOf(request), ports);
  const fromBrowser = isBrowser(headers, { baseUrl, allowedOrigins });
  const { tokens, cookie } = await startSession(user, fromBrowser, sessionPorts, clientOf(request));
  const data = { ...toTokensResponse(tokens), recovery_codes: [...recoveryCodes] };
  const reply = envelopeReply(200, data, 'The second factor is on. Keep the recovery codes: they are not shown again.');
  return withSession(reply, cookie, cookies());
});

export const handler = bufferedHandler(endpoint);
