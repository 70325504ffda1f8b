import type * as z from 'zod';
import { toFileMembers } from '../completions/wire.ts';
import type { AssistantMessage } from '../domain/answer.ts';
import type { Conversation, RecordedTurn } from '../domain/conversations.ts';
import type { conversationPage, messagePage } from './schemas.ts';

export function toConversationResponse(
  stored: Conversation,
): z.output<typeof conversationPage>['conversations'][number] {
  const { conversationId, sessionId, caller, title, createdAt, updatedAt } = stored;
  return { id: conversationId, session_id: sessionId, caller, title, created_at: createdAt, updated_at: updatedAt };
}

/** The client's messages, the calls of the application's tools with their results, and the answer. */
export function toMessageResponses(turn: RecordedTurn): z.output<typeof messagePage>['messages'] {
  const { turnId, createdAt: created_at, input, steps, answer, files = [], rating } = turn;
  return [
    ...[...input, ...steps].map((message, index) => ({
      id: `${turnId}-${index + 1}`,
      role: message.role as 'user' | 'assistant' | 'tool',
      content: message.content ?? null,
      ...(message.role === 'tool' && { tool_call_id: message.tool_call_id }),
      ...(message.role === 'assistant' && toCalls(message)),
      rating: null,
      created_at,
    })),
    {
      id: turnId,
      role: 'assistant',
      content: answer.content ?? answer.refusal ?? null,
      ...toFileMembers(files),
      ...toCalls(answer),
      rating,
      created_at,
    },
  ];
}

function toCalls({ tool_calls }: AssistantMessage): { tool_calls?: { id: string }[] } {
  return tool_calls ? { tool_calls: tool_calls.map((call) => ({ ...call })) } : {};
}
