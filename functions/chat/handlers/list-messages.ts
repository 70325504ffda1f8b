import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { conversationPorts, http } from '../../wiring/chat/chat.ts';
import { toMessageResponses } from '../conversations/responses.ts';
import { listMessagesRoute } from '../conversations/routes.ts';
import { turnPage } from '../domain/read-conversations.ts';

const ports = conversationPorts();

const endpoint = pipeline(listMessagesRoute, http, async ({ principal, params, query }) => {
  const application = { workspaceId: principal.workspaceId, applicationId: params.id };
  const { limit, cursor = null } = query;
  const { turns, nextCursor } = await turnPage(application, params.conversation_id, { limit, cursor }, ports);
  const data = { messages: turns.flatMap(toMessageResponses), next_cursor: nextCursor };
  return envelopeReply(200, data, 'Messages, oldest first.');
});

export const handler = bufferedHandler(endpoint);
