import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { conversationPorts, http } from '../../wiring/chat/chat.ts';
import { rateMessageRoute } from '../conversations/routes.ts';
import { rateAnswer } from '../domain/read-conversations.ts';

const ports = conversationPorts();

const endpoint = pipeline(rateMessageRoute, http, async ({ principal, params, body: { rating } }) => {
  const application = { workspaceId: principal.workspaceId, applicationId: params.id };
  const { conversation_id: conversationId, message_id: turnId } = params;
  await rateAnswer(application, { conversationId, turnId, rating }, ports);
  return envelopeReply(200, { message_id: turnId, rating }, 'The answer is rated.');
});

export const handler = bufferedHandler(endpoint);
