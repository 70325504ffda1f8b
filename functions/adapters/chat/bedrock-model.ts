import type { IncomingHttpHeaders } from 'node:http';
import {
  BedrockRuntimeClient,
  type ContentBlock,
  ConverseStreamCommand,
  type ConverseStreamCommandInput,
  type ConverseStreamOutput,
  type Message,
  type ToolConfiguration,
} from '@aws-sdk/client-bedrock-runtime';
import type { ModelConfig } from '../../chat/domain/application.ts';
import { type FailureCode, ModelFailed, type ModelPart, type ModelRequest } from '../../chat/domain/chat-model.ts';
import { type ChatMessage, type ContentPart, textOf } from '../../chat/domain/messages.ts';
import { memoize } from '../../shared/memoize.ts';
import { finishReasonOf } from './finish-reasons.ts';
import { retryAfterSeconds } from './provider-failures.ts';
import { SilenceTimeout } from './silence-timeout.ts';

/** Retries are ours: clients see them as events. */
const sharedClient = memoize(() => new BedrockRuntimeClient({ maxAttempts: 1 }));

/** The Converse API of Amazon Bedrock. @throws ModelFailed; what `signal` was aborted with. */
export async function* bedrockAnswer(
  model: ModelConfig,
  request: ModelRequest,
  signal: AbortSignal,
  client: Pick<BedrockRuntimeClient, 'send'> = sharedClient(),
): AsyncGenerator<ModelPart> {
  const silence = new SilenceTimeout(model.timeoutSeconds);
  try {
    const { stream } = await client.send(new ConverseStreamCommand(toConverse(model, request)), {
      abortSignal: AbortSignal.any([signal, silence.signal]),
    });
    let isFinished = false;
    for await (const event of stream ?? []) {
      silence.refresh();
      for (const part of partsOf(event)) {
        isFinished ||= part.kind === 'finish';
        yield part;
      }
    }
    if (!isFinished) throw new ModelFailed('provider_error', 'The model on Bedrock broke off.', { isPassing: true });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (silence.signal.aborted) throw silence.signal.reason;
    throw failureOf(error);
  } finally {
    silence.clear();
  }
}

/** @throws ModelFailed for what the Converse API does not take. */
export function toConverse(
  { name, extraBody }: Pick<ModelConfig, 'name' | 'extraBody'>,
  request: ModelRequest,
): ConverseStreamCommandInput {
  const { messages, temperature, topP, maxTokens, stop, responseFormat } = request;
  if (responseFormat !== null && responseFormat.type !== 'text')
    throw refused('response_format: models on Bedrock do not take it; describe the form in a tool instead');
  const system = messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(textOf)
    .filter(isNotEmpty);
  const toolConfig = toToolConfig(request);
  const more = lacksReasoning(messages) ? withoutThinking(extraBody) : extraBody;
  return {
    modelId: name,
    messages: toMessages(messages),
    ...(system.length > 0 && { system: system.map((text) => ({ text })) }),
    inferenceConfig: {
      ...(temperature !== null && { temperature: Math.min(1, temperature) }),
      ...(topP !== null && { topP }),
      ...(maxTokens !== null && { maxTokens }),
      ...(stop.length > 0 && { stopSequences: [...stop] }),
    },
    ...(toolConfig && { toolConfig }),
    ...(Object.keys(more).length > 0 && { additionalModelRequestFields: more as never }),
  };
}

/** Whether the last question was answered by calls whose signed reasoning is not at hand: a model that is to think refuses that. */
function lacksReasoning(messages: readonly ChatMessage[]): boolean {
  const answers = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  const first = answers.find((message) => message.role === 'assistant' && message.tool_calls?.length);
  return first?.role === 'assistant' && !first.reasoning_origin?.signed?.length;
}

function withoutThinking(extraBody: ModelConfig['extraBody']): ModelConfig['extraBody'] {
  return Object.fromEntries(Object.entries(extraBody).filter(([name]) => !/^(thinking|reasoning_config)$/.test(name)));
}

/** Roles must alternate, and results of tools are the user's. */
function toMessages(messages: readonly ChatMessage[]): Message[] {
  const turns: { role: 'user' | 'assistant'; content: ContentBlock[] }[] = [];
  for (const message of messages) {
    if (message.role === 'system' || message.role === 'developer') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = toBlocks(message);
    if (content.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content });
  }
  return turns;
}

function toBlocks(message: ChatMessage): ContentBlock[] {
  if (message.role === 'tool')
    return [{ toolResult: { toolUseId: message.tool_call_id, content: [{ text: textOf(message) }] } }];
  const { content } = message;
  const said = content?.length || message.role !== 'assistant' ? content : message.refusal;
  const parts: readonly ContentPart[] = typeof said === 'string' ? [{ type: 'text', text: said }] : (said ?? []);
  const blocks = [...reasoningBlocks(message), ...parts.map(toBlock)];
  if (message.role === 'assistant')
    for (const { id, function: called } of message.tool_calls ?? [])
      if (called) blocks.push({ toolUse: { toolUseId: id, name: called.name, input: jsonOf(called.arguments) } });
  return blocks.filter((block) => block.text !== '');
}

function reasoningBlocks(message: ChatMessage): ContentBlock[] {
  if (message.role !== 'assistant') return [];
  const signed = message.reasoning_origin?.signed ?? [];
  return signed.map(({ text, signature }) => ({ reasoningContent: { reasoningText: { text, signature } } }));
}

const isNotEmpty = (text: string): boolean => text !== '';

function toBlock(part: ContentPart, index: number): ContentBlock {
  switch (part.type) {
    case 'text':
      return { text: part.text };
    case 'refusal':
      return { text: part.refusal };
    case 'image_url': {
      const [, format = '', data = ''] = /^data:image\/(\w+);base64,([\s\S]*)$/i.exec(part.image_url.url) ?? [];
      const bytes = Buffer.from(data, 'base64');
      return { image: { format: format.replace('jpg', 'jpeg') as 'png' | 'jpeg' | 'gif' | 'webp', source: { bytes } } };
    }
    case 'file': {
      const { file_data, filename = '' } = part.file;
      const bytes = Buffer.from(
        file_data.slice(file_data.startsWith('data:') ? file_data.indexOf(',') + 1 : 0),
        'base64',
      );
      const format = /\.(pdf|csv|docx?|xlsx?|html|txt|md)$/i.exec(filename)?.[1]?.toLowerCase() ?? 'pdf';
      // A name is read by the model: Bedrock takes letters, digits and little else.
      const name =
        filename
          .replace(/\.\w+$/, '')
          .replaceAll(/[^A-Za-z0-9() [\]-]+/g, ' ')
          .trim() || `file ${index + 1}`;
      return { document: { format: format as 'pdf' | 'txt', name, source: { bytes } } };
    }
    case 'input_audio':
      throw refused('input_audio: models on Bedrock do not take it');
  }
}

function toToolConfig({ tools, toolChoice, messages }: ModelRequest): ToolConfiguration | null {
  // Bedrock wants the tools with a conversation that has called some, and has no choice of none.
  const hasCalls = messages.some(({ role }) => role === 'tool');
  if (tools.length === 0 || (toolChoice === 'none' && !hasCalls)) return null;
  const specs = tools.map((tool) => {
    if (tool.type !== 'function') throw refused('tools: models on Bedrock take tools of type function only');
    const { name, description, parameters = { type: 'object', properties: {} } } = tool.function;
    return { toolSpec: { name, ...(description && { description }), inputSchema: { json: parameters as never } } };
  });
  const forced = typeof toolChoice === 'object' ? toolChoice?.function?.name : undefined;
  return {
    tools: specs,
    ...(toolChoice === 'required' && { toolChoice: { any: {} } }),
    ...(forced !== undefined && { toolChoice: { tool: { name: forced } } }),
  };
}

/** Parts of an answer that are processed elsewhere or carry no content. */
const KNOWN: readonly string[] = ['text', 'reasoningContent', 'toolUse', 'citation'];

function* partsOf(event: ConverseStreamOutput): Generator<ModelPart> {
  if (event.contentBlockStart?.start?.toolUse) {
    const { toolUseId: id = '', name = '' } = event.contentBlockStart.start.toolUse;
    const index = event.contentBlockStart.contentBlockIndex ?? 0;
    yield { kind: 'tool_calls', calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] };
  }
  const delta = event.contentBlockDelta?.delta;
  const unknown = Object.keys({ ...delta, ...event.contentBlockStart?.start }).find((kind) => !KNOWN.includes(kind));
  if (unknown !== undefined)
    throw new ModelFailed('provider_error', 'The model on Bedrock answered with content that is not text.');
  if (delta?.text) yield { kind: 'text', text: delta.text };
  const { text: thought = '', signature } = delta?.reasoningContent ?? {};
  if (thought || signature) yield { kind: 'reasoning', text: thought, ...(signature && { signature }) };
  if (delta?.toolUse?.input) {
    const index = event.contentBlockDelta?.contentBlockIndex ?? 0;
    yield { kind: 'tool_calls', calls: [{ index, function: { arguments: delta.toolUse.input } }] };
  }
  if (event.messageStop) {
    const { stopReason = 'end_turn' } = event.messageStop;
    const reason = finishReasonOf(stopReason);
    if (reason !== null) yield { kind: 'finish', reason };
  }
  if (event.metadata?.usage) {
    const { inputTokens = 0, outputTokens = 0 } = event.metadata.usage;
    const usage = {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    };
    yield { kind: 'usage', usage };
  }
  const failed =
    event.internalServerException ??
    event.modelStreamErrorException ??
    event.serviceUnavailableException ??
    event.throttlingException ??
    event.validationException;
  if (failed) throw failed;
}

const CODES: Readonly<Record<string, FailureCode>> = {
  ThrottlingException: 'rate_limit',
  AccessDeniedException: 'auth_error',
  UnrecognizedClientException: 'auth_error',
  ExpiredTokenException: 'auth_error',
  CredentialsProviderError: 'auth_error',
  ModelTimeoutException: 'timeout',
  TimeoutError: 'timeout',
};

function failureOf(error: unknown): unknown {
  if (error instanceof ModelFailed || !(error instanceof Error)) return error;
  const { name, message } = error;
  if (name === 'ValidationException') {
    const isTooLong = /too long|context|maximum tokens|too many tokens/i.test(message.slice(0, 2_000));
    return isTooLong
      ? new ModelFailed('context_overflow', 'The conversation is beyond the model’s context window.', { cause: error })
      : new ModelFailed('invalid_request', `Bedrock refuses the request: ${message.slice(0, 500)}`, { cause: error });
  }
  if (name === 'ServiceQuotaExceededException')
    return new ModelFailed(
      'provider_error',
      'The quota of the account on Bedrock is used up. Ask AWS for a higher one.',
      {
        cause: error,
      },
    );
  const code = CODES[name] ?? 'provider_error';
  const isPassing = code !== 'auth_error' && name !== 'ResourceNotFoundException';
  const headers = (error as { $response?: { headers?: IncomingHttpHeaders } }).$response?.headers ?? {};
  return new ModelFailed(code, `The model on Bedrock does not answer (${name}).`, {
    isPassing,
    retryAfterSeconds: retryAfterSeconds(headers, Date.now()),
    cause: error,
  });
}

function refused(message: string): ModelFailed {
  return new ModelFailed('invalid_request', `${message}.`);
}

function jsonOf(text: string): never {
  try {
    return JSON.parse(text) as never;
  } catch {
    return {} as never;
  }
}
