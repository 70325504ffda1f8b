import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, sessions } from '../../wiring/sandbox/sandbox.ts';
import { sessionPage } from '../domain/sessions.ts';
import { noSession } from '../http-errors.ts';
import { toSummaryResponse } from '../responses.ts';
import { listSessionRoute } from '../routes.ts';

const recorded = sessions();

const endpoint = pipeline(listSessionRoute, http, async ({ principal, params, query }) => {
  const { session_id: sessionId } = params;
  const { limit, cursor: before = null } = query;
  const session = { workspaceId: principal.workspaceId, sessionId };
  const { executions, nextCursor } = await sessionPage(session, { limit, before }, recorded);
  if (executions.length === 0 && before === null) throw noSession(sessionId);
  return {
    status: 200,
    body: { session_id: sessionId, executions: executions.map(toSummaryResponse), next_cursor: nextCursor },
  };
});

export const handler = bufferedHandler(endpoint);
