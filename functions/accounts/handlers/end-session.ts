import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { auditPorts, http } from '../../wiring/accounts/accounts.ts';
import { ownSessionPorts } from '../../wiring/accounts/auth.ts';
import { loginAudit } from '../audit-logins.ts';
import { endOwnSession } from '../domain/own-sessions.ts';
import { endSessionRoute } from '../session-routes.ts';

const ports = ownSessionPorts();
const { recordLogin } = loginAudit(auditPorts());

const endpoint = pipeline(endSessionRoute, http, async ({ principal, params, ...request }) => {
  await endOwnSession(principal.id, params.id, ports);
  recordLogin('login.ended', { userId: principal.id, workspaceId: principal.workspaceId }, request);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
