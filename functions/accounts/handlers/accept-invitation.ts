import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/accounts/accounts.ts';
import { cookies, loginPorts, memberPorts } from '../../wiring/accounts/auth.ts';
import { originBy } from '../audit-origin.ts';
import { toTokensResponse } from '../auth-responses.ts';
import { acceptInvitationRoute } from '../auth-routes.ts';
import { startSession } from '../domain/log-in.ts';
import { acceptInvitation } from '../domain/members.ts';
import { rememberAddress } from '../known-address.ts';
import { clientOf, isBrowser, withSession } from '../session-reply.ts';

const ports = { ...memberPorts(), ...loginPorts() };
const allowedOrigins = http.corsOrigins();

const endpoint = pipeline(acceptInvitationRoute, http, async ({ body, headers, baseUrl, ...request }) => {
  const user = await acceptInvitation(body, (id) => originBy({ kind: 'user', id }, request), ports);
  rememberAddress(user, request, http.limits());
  const { tokens, cookie } = await startSession(
    user,
    isBrowser(headers, { baseUrl, allowedOrigins }),
    ports,
    clientOf(request),
  );
  return withSession(envelopeReply(200, toTokensResponse(tokens), 'Welcome to the workspace.'), cookie, cookies());
});

export const handler = bufferedHandler(endpoint);
