import { isOpenAi, type ModelConfig } from '../../chat/domain/application.ts';
import type { ModelRequest } from '../../chat/domain/chat-model.ts';
import { type ChatMessage, type ContentPart, textOf } from '../../chat/domain/messages.ts';

/** The body of a request for a stream, in the form that strict servers take as well. */
export function requestBody(
  { name, baseUrl, extraBody, maxTokensParameter, omittedParameters }: ModelConfig,
  request: ModelRequest,
): object {
  const { messages, temperature, topP, maxTokens, stop, tools, toolChoice, responseFormat, more } = request;
  const maxTokensName = maxTokensParameter ?? (isOpenAi({ baseUrl }) ? 'max_completion_tokens' : 'max_tokens');
  const known = {
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { top_p: topP }),
    ...(maxTokens !== null && { [maxTokensName]: maxTokens }),
    ...(stop.length > 0 && { stop }),
    ...(tools.length > 0 && { tools }),
    ...(toolChoice !== null && tools.length > 0 && { tool_choice: toolChoice }),
    ...(responseFormat !== null && { response_format: responseFormat }),
  };
  return {
    ...more,
    ...known,
    ...extraBody,
    model: name,
    messages: toOpenAiMessages(messages),
    stream: true,
    ...(!omittedParameters.includes('stream_options') && { stream_options: { include_usage: true } }),
  };
}

/** Templates of many open models know one system message, which is the first, and no other form of a refusal than its text. */
function toOpenAiMessages(messages: readonly ChatMessage[]): readonly object[] {
  const prompts = messages.filter(isPrompt).map(textOf);
  const system = prompts.filter((text) => text !== '').join('\n\n');
  return [
    ...(system === '' ? [] : [{ role: 'system', content: system }]),
    ...messages.flatMap((message) => (isPrompt(message) ? [] : [toOpenAiMessage(message)])),
  ];
}

const isPrompt = ({ role }: ChatMessage): boolean => role === 'system' || role === 'developer';

function toOpenAiMessage(message: ChatMessage): object {
  if (message.role !== 'assistant') return message;
  const { role, content, refusal, name, tool_calls, reasoning_content, opaque } = message;
  const calls = tool_calls?.length
    ? { tool_calls: tool_calls.map(({ opaque: ofCall, ...call }) => ({ ...call, ...ofCall })) }
    : {};
  const said = content?.length ? withoutRefusals(content) : (refusal ?? null);
  return {
    ...{ role, content: said ?? (tool_calls?.length ? null : '') },
    ...(reasoning_content !== undefined && { reasoning_content }),
    ...opaque,
    ...(name !== undefined && { name }),
    ...calls,
  };
}

function withoutRefusals(content: string | readonly ContentPart[]): string | readonly ContentPart[] {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'refusal' ? { type: 'text', text: part.refusal } : part));
}
