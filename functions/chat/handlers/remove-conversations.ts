import { originOf } from '../../accounts/audit-origin.ts';
import { auditEntry } from '../../accounts/domain/audit.ts';
import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { auditTrail, clock, conversationPorts, http, ids, sessionRuns } from '../../wiring/chat/chat.ts';
import { removeConversationsRoute } from '../conversations/routes.ts';
import { removeConversationsOf } from '../domain/read-conversations.ts';

const ports = { ...conversationPorts(), runs: sessionRuns, clock, ids, audit: auditTrail() };

/** Of the function's time, what one page and the answer take at most. */
const RESERVE_MS = 10_000;

const endpoint = pipeline(removeConversationsRoute, http, async ({ query, ...request }) => {
  const { workspaceId } = request.principal;
  const { session_id: sessionId = null, caller_id: callerId = null, application_id: applicationId = null } = query;
  const whose = { workspaceId, applicationId, sessionId, callerId };
  const { removed, isComplete } = await removeConversationsOf(whose, request.deadlineMs - RESERVE_MS, ports);
  // Without the persons' names: these were to be erased.
  const act = { workspaceId, action: 'conversations.removed', target: applicationId, details: { removed } } as const;
  await ports.audit.record(auditEntry(act, originOf(request), ports));
  return envelopeReply(200, { removed, complete: isComplete }, isComplete ? 'Removed.' : 'Send the call again.');
});

export const handler = bufferedHandler(endpoint);
