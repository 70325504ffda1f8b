import { type FinishReason, ModelFailed, type ModelPart, type Usage } from '../../chat/domain/chat-model.ts';
import { cutAnswer, finishReasonOf } from './finish-reasons.ts';
import { type Chunk, chunkOf, type SaidMessage, type SaidUsage } from './openai-chunk.ts';
import { annotationsOf, partsOfMessage } from './openai-message.ts';
import { failureInStream } from './provider-failures.ts';
import type { ServerSentEvent } from './sse-events.ts';

/** Servers send the usage right behind the end of an answer, if they do; some never close the stream. */
const USAGE_WAIT_MS = 1_500;

/**
 * The parts of an answer, by its events. Its end is a finish_reason, or [DONE] behind something that was said.
 * @throws ModelFailed, also for what cannot be understood: a part that is lost would pass for a whole answer.
 */
export async function* partsOfAnswer(
  events: AsyncIterable<ServerSentEvent>,
  secrets: readonly string[],
): AsyncGenerator<ModelPart> {
  let isFinished = false;
  const reading = new AnswerReader();
  const waiting = new UsageWait(events);
  try {
    for (let event = await waiting.next(); event !== null; event = await waiting.next()) {
      if (event.data.trim() === '[DONE]') {
        if (!isFinished && reading.hasContent) {
          isFinished = true;
          yield* reading.end('stop');
        }
        break;
      }
      const chunk = chunkOf(event);
      if ('error' in chunk) throw failureInStream(chunk.error, secrets);
      yield* reading.read(chunk);
      const said = chunk.choices?.find(isFirst)?.finish_reason;
      const reason = said && !isFinished ? finishReasonOf(said) : null;
      if (reason !== null) {
        isFinished = true;
        waiting.begin();
        yield* reading.end(reason);
      }
      const counted = chunk.usage && countedUsage(chunk.usage);
      if (counted) yield { kind: 'usage', usage: counted };
      if (counted && isFinished) break;
    }
  } finally {
    waiting.end();
  }
  if (!isFinished)
    throw new ModelFailed('provider_error', 'The model provider broke off its answer.', { isPassing: true });
}

/** One choice is asked for. */
const isFirst = ({ index }: { readonly index?: number | null | undefined }): boolean => (index ?? 0) === 0;

class AnswerReader {
  /** Kinds of parts that have come. */
  readonly #kinds = new Set<ModelPart['kind']>();
  #sources: Parameters<typeof annotationsOf>[0] = [];

  get hasContent(): boolean {
    return CONTENT.some((kind) => this.#kinds.has(kind));
  }

  *read({ choices, citations, search_results }: Chunk): Generator<ModelPart> {
    this.#sources =
      search_results ?? citations?.map((each) => (typeof each === 'string' ? { url: each } : each)) ?? this.#sources;
    for (const { delta, message, text, logprobs } of choices?.filter(isFirst) ?? [])
      for (const part of partsOfMessage(
        { content: text, ...(message && this.#rest(message)), ...delta },
        logprobs ?? undefined,
      )) {
        this.#kinds.add(part.kind);
        yield part;
      }
  }

  /** Of a whole message behind its pieces, what has not come in pieces. */
  #rest(message: SaidMessage): Partial<SaidMessage> {
    if (!this.hasContent && this.#kinds.size === 0) return message;
    const { tool_calls, function_call } = message;
    return this.#kinds.has('tool_calls') ? {} : { tool_calls, function_call, ...(!this.hasContent && message) };
  }

  /** @throws ModelFailed where an end of calls has none. */
  *end(reason: FinishReason): Generator<ModelPart> {
    if (reason === 'tool_calls' && !this.#kinds.has('tool_calls')) {
      if (!this.hasContent) throw cutAnswer('tool_calls without a call');
      reason = 'stop';
    }
    const annotations = annotationsOf(this.#sources);
    if (annotations.length > 0) yield { kind: 'attachments', members: { annotations } };
    yield { kind: 'finish', reason };
  }
}

const CONTENT: readonly ModelPart['kind'][] = ['text', 'refusal', 'tool_calls', 'attachments'];

/**
 * Passes events until their end. After `begin` it waits a moment longer for the usage counts, and ignores failures of a stream that is no
 * longer needed.
 */
class UsageWait {
  readonly #events: AsyncIterator<ServerSentEvent>;
  #over: Promise<null> | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(events: AsyncIterable<ServerSentEvent>) {
    this.#events = events[Symbol.asyncIterator]();
  }

  begin(): void {
    this.#over = new Promise((resolve) => {
      this.#timer = setTimeout(() => resolve(null), USAGE_WAIT_MS);
    });
  }

  async next(): Promise<ServerSentEvent | null> {
    const next = this.#events.next().then(({ done, value }) => (done ? null : value));
    return this.#over === null ? next : Promise.race([next.catch(() => null), this.#over]);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** @returns null where less than two of the three counts are known. */
function countedUsage({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: total,
  ...details
}: SaidUsage): Usage | null {
  const given = [prompt, completion, total].filter((each) => each !== undefined && each !== null);
  if (given.length < 2) return null;
  const prompt_tokens = prompt ?? Math.max(0, total! - completion!);
  const completion_tokens = completion ?? Math.max(0, total! - prompt!);
  return { ...details, prompt_tokens, completion_tokens, total_tokens: total ?? prompt_tokens + completion_tokens };
}
