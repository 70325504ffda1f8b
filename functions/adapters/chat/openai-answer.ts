import * as z from 'zod';
import {
  type FinishReason,
  ModelFailed,
  type ModelPart,
  type ToolCallDelta,
  type Usage,
} from '../../chat/domain/chat-model.ts';
import { boundedJson } from '../../shared/bounded-json.ts';
import { opaqueMembersOf } from '../../chat/domain/opaque-members.ts';
import { failureInStream, garbage } from './provider-failures.ts';

/** Servers send the usage right behind the end of an answer, if they do; some never close the stream. */
const USAGE_WAIT_MS = 1_500;

const nullable = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(undefined);

/** Some servers send the arguments parsed. */
const callArguments = z
  .union([z.string(), z.record(z.string(), z.unknown()).transform((value) => JSON.stringify(value))])
  .nullish();

const calledFunction = z.object({ name: nullable(z.string()), arguments: callArguments });

const callDelta = z.looseObject({
  index: nullable(z.int().nonnegative()),
  id: nullable(z.string()),
  type: nullable(z.string()),
  function: calledFunction.nullish(),
  custom: z.object({ name: nullable(z.string()), input: callArguments }).nullish(),
});

const message = z.looseObject({
  /** Read by `partsOfContent`. */
  content: z.unknown().optional(),
  refusal: z.string().nullish(),
  reasoning_content: nullable(z.string()),
  reasoning: nullable(z.string()),
  tool_calls: z.array(callDelta).nullish(),
  function_call: calledFunction.nullish(),
});

const count = nullable(z.number().nonnegative().transform(Math.round));
const usage = z.looseObject({ prompt_tokens: count, completion_tokens: count, total_tokens: count });

const chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: message.nullish(),
        message: message.nullish(),
        text: z.string().nullish(),
        finish_reason: nullable(z.string()),
        logprobs: nullable(z.looseObject({})),
      }),
    )
    .nullish(),
  usage: nullable(usage),
  error: z.unknown().optional(),
});

/**
 * The parts of an answer, by the data of its events. Its end is a finish_reason, or [DONE] behind something that was said.
 * @throws ModelFailed, also for what cannot be understood: a part that is lost would pass for a whole answer.
 */
export async function* partsOfAnswer(
  data: AsyncIterable<string>,
  secrets: readonly string[],
): AsyncGenerator<ModelPart> {
  let isFinished = false;
  let hasContent = false;
  const waiting = new UsageWait(data);
  try {
    for (let text = await waiting.next(); text !== null; text = await waiting.next()) {
      if (text.trim() === '[DONE]') {
        if (!isFinished && hasContent) {
          isFinished = true;
          yield { kind: 'finish', reason: 'stop' };
        }
        break;
      }
      const { choices, usage, error } = parsed(text);
      if (error !== undefined && error !== null) throw failureInStream(error, secrets);
      for (const { delta, message: whole, text: said, finish_reason, logprobs } of choices?.slice(0, 1) ?? []) {
        for (const part of partsOfMessage({ content: said, ...whole, ...delta }, logprobs ?? undefined)) {
          hasContent ||= part.kind !== 'reasoning' && part.kind !== 'opaque';
          yield part;
        }
        if (finish_reason && !isFinished) {
          isFinished = true;
          waiting.begin();
          yield { kind: 'finish', reason: finishReasonOf(finish_reason) };
        }
      }
      const counted = usage && countedUsage(usage);
      if (counted) yield { kind: 'usage', usage: counted };
      if (counted && isFinished) break;
    }
  } finally {
    waiting.end();
  }
  if (!isFinished)
    throw new ModelFailed('provider_error', 'The model provider broke off its answer.', { isPassing: true });
}

/**
 * Passes events until their end. After `begin` it waits a moment longer for the usage counts, and ignores failures of a stream that is no
 * longer needed.
 */
class UsageWait {
  readonly #events: AsyncIterator<string>;
  #over: Promise<null> | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(data: AsyncIterable<string>) {
    this.#events = data[Symbol.asyncIterator]();
  }

  begin(): void {
    this.#over = new Promise((resolve) => {
      this.#timer = setTimeout(() => resolve(null), USAGE_WAIT_MS);
    });
  }

  async next(): Promise<string | null> {
    const next = this.#events.next().then(({ done, value }) => (done ? null : value));
    return this.#over === null ? next : Promise.race([next.catch(() => null), this.#over]);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

function* partsOfMessage(said: Partial<z.output<typeof message>>, logprobs: object | undefined): Generator<ModelPart> {
  const { content, refusal, reasoning_content, reasoning, tool_calls, function_call } = said;
  const members = opaqueMembersOf(said);
  if (members) yield { kind: 'opaque', members };
  const thought = reasoning_content ?? reasoning;
  if (thought) yield { kind: 'reasoning', text: thought };
  const parts = [...partsOfContent(content)];
  if (logprobs && parts.length === 0) parts.push({ kind: 'text', text: '' });
  for (const [index, part] of parts.entries())
    yield part.kind === 'text' && logprobs && index === parts.length - 1 ? { ...part, logprobs } : part;
  if (refusal) yield { kind: 'refusal', text: refusal };
  if (tool_calls && tool_calls.length > 0) yield { kind: 'tool_calls', calls: tool_calls.map(toDelta) };
  if (function_call) yield { kind: 'tool_calls', calls: [toDelta({ function: function_call }, 0)] };
}

/** A text, one part, or several. */
function* partsOfContent(content: unknown): Generator<ModelPart> {
  if (content === null || content === undefined || content === '') return;
  if (typeof content === 'string') yield { kind: 'text', text: content };
  else if (Array.isArray(content)) for (const part of content) yield* partsOfContent(part);
  else yield* partOfObject(contentPart(content));
}

const anyText = z.union([
  z.string(),
  z.array(z.object({ text: z.string() })).transform((parts) => parts.map(({ text }) => text).join('')),
]);
const contentPartSchema = z.object({
  type: z.string().default('text'),
  text: anyText.nullish(),
  refusal: z.string().nullish(),
  thinking: anyText.nullish(),
  reasoning: anyText.nullish(),
});

function contentPart(content: unknown): z.output<typeof contentPartSchema> {
  const { data, error } = contentPartSchema.safeParse(content);
  if (error) throw garbage(error);
  return data;
}

function* partOfObject({ type, ...part }: z.output<typeof contentPartSchema>): Generator<ModelPart> {
  switch (type) {
    case 'text':
    case 'output_text': {
      if (part.text === undefined || part.text === null) throw notUnderstood(type);
      if (part.text !== '') yield { kind: 'text', text: part.text };
      return;
    }
    case 'thinking':
    case 'reasoning': {
      const text = part.thinking ?? part.reasoning ?? part.text;
      if (text) yield { kind: 'reasoning', text };
      return;
    }
    case 'refusal':
      if (part.refusal) yield { kind: 'refusal', text: part.refusal };
      return;
    // Places that the text before it comes from.
    case 'reference':
      return;
    default:
      throw notUnderstood(type);
  }
}

function notUnderstood(type: string): ModelFailed {
  const shown = JSON.stringify(type.slice(0, 50));
  return new ModelFailed(
    'provider_error',
    `The model provider answered with content of the type ${shown}, which is not supported.`,
  );
}

/** Without the members that are null: clients take a null id or name for a new one. */
function toDelta(
  { index, id, type, function: called, custom, ...rest }: Partial<z.output<typeof callDelta>>,
  position: number,
): ToolCallDelta {
  const opaque = opaqueMembersOf(rest);
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
    ...(opaque && { opaque }),
  };
}

function parsed(text: string): z.output<typeof chunk> {
  try {
    return chunk.parse(boundedJson(text));
  } catch (cause) {
    throw garbage(cause);
  }
}

/** @returns null where less than two of the three counts are known. */
function countedUsage({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: total,
  ...details
}: z.output<typeof usage>): Usage | null {
  const given = [prompt, completion, total].filter((each) => each !== undefined && each !== null);
  if (given.length < 2) return null;
  const prompt_tokens = prompt ?? Math.max(0, total! - completion!);
  const completion_tokens = completion ?? Math.max(0, total! - prompt!);
  return { ...details, prompt_tokens, completion_tokens, total_tokens: total ?? prompt_tokens + completion_tokens };
}

const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  tool_calls: 'tool_calls',
  tool_use: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
  safety: 'content_filter',
};
/** Ends of an answer that is not whole. */
const FAILED: readonly string[] = ['error', 'abort', 'cancelled', 'insufficient_system_resource'];

function finishReasonOf(reason: string): FinishReason {
  const known = reason.toLowerCase();
  if (FAILED.includes(known))
    throw new ModelFailed('provider_error', `The model provider broke off its answer (${known}).`, { isPassing: true });
  return FINISH_REASONS[known] ?? 'stop';
}
