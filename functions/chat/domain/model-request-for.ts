import type { ModelConfig } from './application.ts';
import type { ModelRequest } from './chat-model.ts';
import { withReasoningFor } from './reasoning-for.ts';

/** A request without what a model does not take: parameters that its configuration omits, and reasoning of other models. */
export function requestFor(model: ModelConfig, request: ModelRequest, isFirst: boolean): ModelRequest {
  const omitted = new Set(model.omittedParameters);
  const unless = <T>(name: string, value: T): T | null => (omitted.has(name) ? null : value);
  return {
    ...request,
    // Clients usually return reasoning of the first model.
    messages: withReasoningFor(model, request.messages, isFirst),
    temperature: unless('temperature', request.temperature),
    topP: unless('top_p', request.topP),
    maxTokens: unless('max_tokens', request.maxTokens),
    stop: unless('stop', request.stop) ?? [],
    toolChoice: unless('tool_choice', request.toolChoice),
    responseFormat: unless('response_format', request.responseFormat),
    more: Object.fromEntries(Object.entries(request.more).filter(([name]) => !omitted.has(name))),
  };
}
