import { systemClock } from '../../adapters/shared/system-ports.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { removeSession } from '../domain/sessions.ts';
import { noSession, sandboxManners, unfinishedRemoval } from '../http-manners.ts';
import { removeSessionRoute } from '../routes.ts';
import { executions, sessions } from '../sandbox-ports.ts';

const ports = { executions: executions(), sessions: sessions(), clock: systemClock };
/** A last round of removals, and the answer. */
const RESERVE_MS = 5_000;

export const handler = apiHandler(removeSessionRoute, sandboxManners, async ({ caller, params, deadlineMs }) => {
  const { session_id: sessionId } = params;
  const session = { workspaceId: caller.workspaceId, sessionId };
  const removed = await removeSession(session, deadlineMs - RESERVE_MS, ports);
  if (removed === 'none') throw noSession(sessionId);
  if (removed === 'unfinished') throw unfinishedRemoval(sessionId);
  return { status: 204 };
});
