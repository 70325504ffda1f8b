import * as z from 'zod';
import type { ModelConfig } from '../../chat/domain/application.ts';
import type { FinishReason, ModelPart, ModelRequest, ToolCallDelta, Usage } from '../../chat/domain/chat-model.ts';
import { ModelFailed } from '../../chat/domain/chat-model.ts';
import { readBody, type SafeFetch, type SafeResponse } from '../web/safe-fetch.ts';
import { requestBody } from './openai-request.ts';
import { failureInStream, failureOfConnection, failureOfStatus, garbage } from './provider-failures.ts';
import { SilenceTimeout } from './silence-timeout.ts';
import { eventData } from './sse-events.ts';

const MAX_ERROR_BYTES = 64 * 1024;
/** Longer than any request may take: silence is what ends a call. */
const MAX_CALL_MS = 15 * 60_000;

const nullable = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(undefined);

const callDelta = z.object({
  index: nullable(z.int().nonnegative()),
  id: nullable(z.string()),
  type: nullable(z.string()),
  function: nullable(z.object({ name: nullable(z.string()), arguments: nullable(z.string()) })),
  custom: nullable(z.object({ name: nullable(z.string()), input: nullable(z.string()) })),
});

const message = z.object({
  content: nullable(z.string()),
  refusal: nullable(z.string()),
  reasoning_content: nullable(z.string()),
  reasoning: nullable(z.string()),
  tool_calls: nullable(z.array(callDelta)),
});

const chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: message.nullish(),
        message: message.nullish(),
        finish_reason: nullable(z.string()),
        logprobs: nullable(z.looseObject({})),
      }),
    )
    .nullish(),
  usage: nullable(z.looseObject({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })),
  error: z.unknown().optional(),
});

/** Chat completions of any server that speaks OpenAI's API, always asked for a stream. */
export class OpenAiModel {
  readonly #web: SafeFetch;

  constructor(web: SafeFetch) {
    this.#web = web;
  }

  /** @param apiKey null for a server without keys. @param owner of the connections to it. @throws ModelFailed; what `signal` was aborted with. */
  async *stream(
    model: ModelConfig & { readonly baseUrl: string },
    { apiKey, owner }: { readonly apiKey: string | null; readonly owner: string },
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelPart> {
    const secrets = apiKey === null ? [] : [apiKey];
    const silence = new SilenceTimeout(model.timeoutSeconds);
    let response: SafeResponse | undefined;
    try {
      response = await this.#web.fetch(`${model.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream',
          ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
        },
        body: Buffer.from(JSON.stringify(requestBody(model, request))),
        timeoutMs: MAX_CALL_MS,
        signal: AbortSignal.any([signal, silence.signal]),
        connectionOwner: owner,
      });
      const { status, headers } = response;
      if (status !== 200) {
        const text = Buffer.from(
          await readBody(response, MAX_ERROR_BYTES, 'The model provider').catch(() => ''),
        ).toString();
        throw failureOfStatus(status, text, headers['retry-after'], secrets);
      }
      yield* partsOf(dataOf(response, silence), secrets);
      response.finish();
      response = undefined;
    } catch (error) {
      throw failureOfConnection(error);
    } finally {
      silence.clear();
      response?.close();
    }
  }
}

/** The events' data of a stream; the whole body of a server that does not stream. */
async function* dataOf({ headers, body }: SafeResponse, silence: SilenceTimeout): AsyncGenerator<string> {
  const bytes = (async function* () {
    for await (const some of body) {
      silence.refresh();
      yield some;
    }
  })();
  if (!headers['content-type']?.includes('json')) return yield* eventData(bytes);
  let text = '';
  const decoder = new TextDecoder();
  for await (const some of bytes) text += decoder.decode(some, { stream: true });
  yield text;
}

async function* partsOf(data: AsyncIterable<string>, secrets: readonly string[]): AsyncGenerator<ModelPart> {
  let isFinished = false;
  for await (const text of data) {
    if (text === '[DONE]') break;
    const { choices, usage, error } = parsed(text);
    if (error !== undefined && error !== null) throw failureInStream(error, secrets);
    for (const { delta, message: whole, finish_reason, logprobs } of choices?.slice(0, 1) ?? []) {
      yield* partsOfMessage({ ...whole, ...delta }, logprobs ?? undefined);
      if (finish_reason && !isFinished) {
        isFinished = true;
        yield { kind: 'finish', reason: finishReasonOf(finish_reason) };
      }
    }
    if (usage) yield { kind: 'usage', usage: usage as Usage };
  }
  if (!isFinished)
    throw new ModelFailed('provider_error', 'The model provider broke off its answer.', { isPassing: true });
}

function* partsOfMessage(
  { content, refusal, reasoning_content, reasoning, tool_calls }: Partial<z.output<typeof message>>,
  logprobs: object | undefined,
): Generator<ModelPart> {
  const thought = reasoning_content ?? reasoning;
  if (thought) yield { kind: 'reasoning', text: thought };
  if (content || logprobs) yield { kind: 'text', text: content ?? '', ...(logprobs && { logprobs }) };
  if (refusal) yield { kind: 'refusal', text: refusal };
  if (tool_calls && tool_calls.length > 0) yield { kind: 'tool_calls', calls: tool_calls.map(toDelta) };
}

/** Without the members that are null: clients take a null id or name for a new one. */
function toDelta(
  { index, id, type, function: called, custom }: z.output<typeof callDelta>,
  position: number,
): ToolCallDelta {
  return {
    // A server that gives none sends whole calls.
    index: index ?? position,
    ...(id && { id }),
    ...(type && { type }),
    ...(called && {
      function: { ...(called.name && { name: called.name }), ...(called.arguments && { arguments: called.arguments }) },
    }),
    ...(custom && {
      custom: { ...(custom.name && { name: custom.name }), ...(custom.input && { input: custom.input }) },
    }),
  };
}

function parsed(text: string): z.output<typeof chunk> {
  try {
    return chunk.parse(JSON.parse(text));
  } catch (cause) {
    throw garbage(cause);
  }
}

const FINISH_REASONS: readonly string[] = ['stop', 'length', 'tool_calls', 'content_filter', 'function_call'];

function finishReasonOf(reason: string): FinishReason {
  return FINISH_REASONS.includes(reason) ? (reason as FinishReason) : 'stop';
}
