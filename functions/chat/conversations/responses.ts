import type * as z from 'zod';
import type { Conversation, RecordedTurn } from '../domain/conversations.ts';
import type { conversationPage, messagePage } from './schemas.ts';

export function toConversationResponse(
  stored: Conversation,
): z.output<typeof conversationPage>['conversations'][number] {
  const { conversationId, sessionId, caller, title, createdAt, updatedAt } = stored;
  return { id: conversationId, session_id: sessionId, caller, title, created_at: createdAt, updated_at: updatedAt };
}

/** What the client said, and the answer. */
export function toMessageResponses(turn: RecordedTurn): z.output<typeof messagePage>['messages'] {
  const { turnId, createdAt: created_at, input, answer, rating } = turn;
  return [
    ...input.map((message, index) => ({
      id: `${turnId}-${index + 1}`,
      role: message.role as 'user' | 'tool',
      content: message.content,
      ...(message.role === 'tool' && { tool_call_id: message.tool_call_id }),
      rating: null,
      created_at,
    })),
    {
      id: turnId,
      role: 'assistant',
      content: answer.content ?? answer.refusal ?? null,
      ...(answer.tool_calls && { tool_calls: answer.tool_calls.map((call) => ({ ...call })) }),
      rating,
      created_at,
    },
  ];
}
