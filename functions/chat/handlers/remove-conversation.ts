import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { conversationPorts, http, sessionRuns } from '../../wiring/chat/chat.ts';
import { removeConversationRoute } from '../conversations/routes.ts';
import { removeConversation } from '../domain/read-conversations.ts';

const ports = { ...conversationPorts(), runs: sessionRuns };

const endpoint = pipeline(removeConversationRoute, http, async ({ principal, params }) => {
  const application = { workspaceId: principal.workspaceId, applicationId: params.id };
  await removeConversation(application, params.conversation_id, ports);
  return { status: 204 };
});

export const handler = bufferedHandler(endpoint);
