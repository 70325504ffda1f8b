import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { recordLogin } from '../audit-logins.ts';
import { toRegisteredResponse } from '../auth-responses.ts';
import { registerRoute } from '../auth-routes.ts';
import { cookies, registerPorts, requireRegistration } from '../auth-wiring.ts';
import { register } from '../domain/register.ts';
import { isBrowser, withSession } from '../session-reply.ts';
import { http } from '../wiring.ts';

const ports = registerPorts();

const allowedOrigins = http.corsOrigins();

const endpoint = pipeline(registerRoute, http, async ({ headers, body, baseUrl, ...request }) => {
  requireRegistration();
  const { email, password, workspace_name: workspaceName } = body;
  const { tokens, cookie, ...registered } = await register(
    { email, password, workspaceName, isBrowser: isBrowser(headers, { baseUrl, allowedOrigins }) },
    ports,
  );
  recordLogin('workspace.created', registered.workspace.owner, request);
  const data = toRegisteredResponse(registered, tokens);
  return withSession(
    envelopeReply(201, data, 'The workspace is ready. Keep the API key: it is shown this once.'),
    cookie,
    cookies(),
  );
});

export const handler = bufferedHandler(endpoint);
