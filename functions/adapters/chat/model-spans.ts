import type { ModelConfig, ProviderName } from '../../chat/domain/application.ts';
import type { ModelPart } from '../../chat/domain/chat-model.ts';
import type { Span, SpanOptions } from '../../shared/tracing/span.ts';

/** Providers under their names in OpenTelemetry's conventions for generative AI. */
const PROVIDERS: Readonly<Record<ProviderName, string>> = {
  embedded: 'tripod',
  bedrock: 'aws.bedrock',
  'openai-compatible': 'openai',
};

/**
 * Name and attributes of the span of a model call: the provider, the model, later its tokens; no message of the conversation.
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
 */
export function chatSpan({ provider, name }: ModelConfig): readonly [name: string, options: SpanOptions] {
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': PROVIDERS[provider],
    'gen_ai.request.model': name,
  };
  return [`chat ${name}`, { kind: 'client', attributes }];
}

export function observePart(part: ModelPart, span: Span): void {
  if (part.kind === 'finish') span.set({ 'gen_ai.response.finish_reasons': [part.reason] });
  if (part.kind === 'usage')
    span.set({
      'gen_ai.usage.input_tokens': part.usage.prompt_tokens,
      'gen_ai.usage.output_tokens': part.usage.completion_tokens,
    });
}
