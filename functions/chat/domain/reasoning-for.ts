import type { AssistantMessage } from './answer.ts';
import { type ModelConfig, modelDigest, modelIdentity } from './application.ts';
import type { ChatMessage } from './messages.ts';

/**
 * Messages with the reasoning and the opaque members that a model needs to see again, and no other. Thinking models refuse a conversation with
 * calls of tools whose reasoning is missing, some of them one where it is not needed, and all others know no reasoning.
 * @param acceptsUnknown whether those that a client has brought, without an origin, count as the model's own.
 */
export function withReasoningFor(
  model: Pick<ModelConfig, 'provider' | 'baseUrl' | 'name'>,
  messages: readonly ChatMessage[],
  acceptsUnknown: boolean,
): readonly ChatMessage[] {
  const identity = modelIdentity(model);
  const digest = modelDigest(identity);
  const kept = new Set(messagesBesideCalls(messages));
  return messages.map((message) => {
    if (message.role !== 'assistant') return message;
    const { reasoning_content: _, reasoning_origin: origin, ...rest } = message;
    const isOwn = origin === undefined ? acceptsUnknown : [identity, digest].includes(origin.model);
    if (!isOwn) return withoutOpaque(rest);
    return kept.has(message) ? message : rest;
  });
}

export function withoutOpaque({ opaque: _, tool_calls, ...message }: AssistantMessage): AssistantMessage {
  return { ...message, ...(tool_calls && { tool_calls: tool_calls.map(({ opaque: __, ...call }) => call) }) };
}

/** Assistant messages that answer the user with the help of tools. */
function messagesBesideCalls(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const exchanges: ChatMessage[][] = [[]];
  for (const message of messages) {
    if (message.role === 'user') exchanges.push([]);
    exchanges.at(-1)!.push(message);
  }
  return exchanges.filter((exchange) => exchange.some(({ role }) => role === 'tool')).flat();
}
