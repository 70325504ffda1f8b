import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { auditPorts, http } from '../../wiring/accounts/accounts.ts';
import { loginPorts } from '../../wiring/accounts/auth.ts';
import { loginAudit } from '../audit-logins.ts';
import { toTokensResponse } from '../auth-responses.ts';
import { refreshRoute } from '../auth-routes.ts';
import { refreshSession } from '../domain/log-in.ts';

const ports = loginPorts();
const { recordRefusal } = loginAudit(auditPorts());

const endpoint = pipeline(refreshRoute, http, async ({ body, ...request }) => {
  const tokens = await refreshSession(body.refresh_token, ports).catch((error: unknown) =>
    recordRefusal('login.revoked', error, request),
  );
  return envelopeReply(200, toTokensResponse(tokens), 'Use the new refresh token from now on.');
});

export const handler = bufferedHandler(endpoint);
