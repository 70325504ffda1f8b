import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { cookies, loginPorts, passwordPorts } from '../../wiring/accounts/auth.ts';
import { originOf } from '../audit-origin.ts';
import { toTokensResponse } from '../auth-responses.ts';
import { changePasswordRoute } from '../auth-routes.ts';
import { changePassword } from '../domain/change-password.ts';
import { startSession } from '../domain/log-in.ts';
import { clientOf, isBrowser, withSession } from '../session-reply.ts';

const ports = { ...passwordPorts(), ...loginPorts() };
const allowedOrigins = http.corsOrigins();

const endpoint = pipeline(changePasswordRoute, http, async ({ body, headers, baseUrl, ...request }) => {
  const { current_password: current, new_password: next } = body;
  const user = await changePassword(request.principal.id, { current, next }, originOf(request), ports);
  const { tokens, cookie } = await startSession(
    user,
    isBrowser(headers, { baseUrl, allowedOrigins }),
    ports,
    clientOf(request),
  );
  const reply = envelopeReply(200, toTokensResponse(tokens), 'The password is changed, and all other sessions ended.');
  return withSession(reply, cookie, cookies());
});

export const handler = bufferedHandler(endpoint);
