import { type ModelConfig, modelIdentity } from './application.ts';
import type { ChatMessage } from './messages.ts';

/**
 * Messages with the reasoning that a model needs to see again, and no other. Thinking models refuse a conversation with
 * calls of tools whose reasoning is missing, some of them one where it is not needed, and all others know no reasoning.
 * @param acceptsUnknown whether reasoning that a client has brought, without an origin, counts as the model's own.
 */
export function withReasoningFor(
  model: Pick<ModelConfig, 'provider' | 'baseUrl' | 'name'>,
  messages: readonly ChatMessage[],
  acceptsUnknown: boolean,
): readonly ChatMessage[] {
  const identity = modelIdentity(model);
  const kept = new Set(messagesBesideCalls(messages));
  return messages.map((message) => {
    if (message.role !== 'assistant' || message.reasoning_content === undefined) return message;
    const { reasoning_content: _, reasoning_origin: origin, ...rest } = message;
    const isOwn = origin === undefined ? acceptsUnknown : origin.model === identity;
    return isOwn && kept.has(message) ? message : rest;
  });
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
