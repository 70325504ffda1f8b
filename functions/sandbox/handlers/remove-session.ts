import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { clock, executions, http, keptSessions, sessions } from '../../wiring/sandbox/sandbox.ts';
import { removeSession } from '../domain/sessions.ts';
import { noSession, unfinishedRemoval } from '../http-errors.ts';
import { removeSessionRoute } from '../routes.ts';

const ports = { executions: executions(), sessions: sessions(), kept: keptSessions(), clock };
/** A last round of removals, and the response. */
const RESERVE_MS = 5_000;

const endpoint = pipeline(removeSessionRoute, http, async ({ principal, params, deadlineMs }) => {
  const { session_id: sessionId } = params;
  const session = { workspaceId: principal.workspaceId, sessionId };
  const removed = await removeSession(session, deadlineMs - RESERVE_MS, ports);
  if (removed === 'none') throw noSession(sessionId);
  if (removed === 'unfinished') throw unfinishedRemoval(sessionId);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
