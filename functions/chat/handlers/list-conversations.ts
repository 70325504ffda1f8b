import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { conversationPorts, http } from '../../wiring/chat/chat.ts';
import { toConversationResponse } from '../conversations/responses.ts';
import { listConversationsRoute } from '../conversations/routes.ts';
import { findApplication } from '../domain/manage-applications.ts';
import { conversationPage } from '../domain/read-conversations.ts';

const ports = conversationPorts();

const endpoint = pipeline(listConversationsRoute, http, async ({ principal, params, query }) => {
  const application = { workspaceId: principal.workspaceId, applicationId: params.id };
  const { limit, cursor = null } = query;
  const [page] = await Promise.all([
    conversationPage(application, { limit, cursor }, ports),
    findApplication(application, ports),
  ]);
  const data = { conversations: page.conversations.map(toConversationResponse), next_cursor: page.nextCursor };
  return envelopeReply(200, data, 'Conversations, newest first.');
});

export const handler = bufferedHandler(endpoint);
