import { apiHandler } from '../../shared/http/api-handler.ts';
import { sessionPage } from '../domain/sessions.ts';
import { noSession, sandboxManners } from '../http-manners.ts';
import { presentedSummary } from '../presented.ts';
import { listSessionRoute } from '../routes.ts';
import { sessions } from '../sandbox-ports.ts';

const recorded = sessions();

export const handler = apiHandler(listSessionRoute, sandboxManners, async ({ caller, params, query }) => {
  const { session_id: sessionId } = params;
  const { limit, cursor: before = null } = query;
  const session = { workspaceId: caller.workspaceId, sessionId };
  const { executions, nextCursor } = await sessionPage(session, { limit, before }, recorded);
  if (executions.length === 0 && before === null) throw noSession(sessionId);
  return {
    status: 200,
    body: { session_id: sessionId, executions: executions.map(presentedSummary), next_cursor: nextCursor },
  };
});
