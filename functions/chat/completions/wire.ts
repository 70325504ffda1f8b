import type * as z from 'zod';
import type { KnowledgeHit } from '../../knowledge/domain/knowledge-search.ts';
import type { Frame } from '../../shared/http/reply.ts';
import { Answer } from '../domain/answer.ts';
import { type AnswerFile, toFileResponse } from '../domain/answer-files.ts';
import {
  type Attachments,
  type ModelRequest,
  PASSED_ON,
  type ToolCallDelta,
  type Usage,
} from '../domain/chat-model.ts';
import type { CompletionPart } from '../domain/complete.ts';
import type { ToolCall } from '../domain/messages.ts';
import { sourceOf } from '../domain/retrieve-knowledge.ts';
import { isToolPart, toolEvent } from '../domain/tools/tool-events.ts';
import type { ChatPayloads, citation } from './event-schemas.ts';
import type { completion, completionBody } from './schemas.ts';

/** Members that all objects of one answer have in common. */
export interface CompletionHead {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
}

/** Events in addition to the answer: with their name, as plain data, or none. */
export type EventForm = 'named' | 'data' | 'none';

export interface StreamOptions {
  readonly includeUsage: boolean;
  readonly events: EventForm;
  /** Tools' inputs and results: not for visitors, who get only the answer. */
  readonly showsTools: boolean;
  readonly sessionId: string | null;
  readonly now: () => number;
}

type Body = z.output<typeof completionBody>;
type Citation = z.output<typeof citation>;

export function toModelRequest(body: Body): ModelRequest {
  const more = PASSED_ON.flatMap((name) => {
    const value = body[name as keyof Body];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    messages: body.messages,
    temperature: body.temperature ?? null,
    topP: body.top_p ?? null,
    maxTokens: body.max_completion_tokens ?? body.max_tokens ?? null,
    stop: body.stop,
    tools: body.tools ?? [],
    toolChoice: body.tool_choice ?? null,
    responseFormat: body.response_format ?? null,
    more: Object.fromEntries(more),
  };
}

/** The whole answer in one object. @param showsText whether citations quote their passages: not to visitors. */
export async function toCompletion(
  parts: AsyncIterable<CompletionPart>,
  head: CompletionHead,
  { showsText }: { readonly showsText: boolean },
): Promise<z.output<typeof completion>> {
  const answer = new Answer();
  let citations: Citation[] | null = null;
  const files: AnswerFile[] = [];
  for await (const part of parts)
    if (part.kind === 'knowledge_retrieved') citations = part.hits.map((hit) => toCitation(hit, showsText));
    else if (part.kind === 'files') files.push(...part.files);
    else if (part.kind !== 'event' && !isToolPart(part)) answer.add(part);
  const { content, refusal } = answer.message;
  const calls = answer.toolCalls;
  return {
    ...head,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content,
          refusal,
          ...(answer.reasoning !== '' && { reasoning_content: answer.reasoning }),
          ...answer.reasoned.opaque,
          ...toFileMembers(files, answer.attachments),
          ...(calls.length > 0 && { tool_calls: calls.map(toCallMembers) as never }),
        },
        logprobs: answer.logprobs as never,
        finish_reason: answer.finishReason ?? 'stop',
      },
    ],
    usage: answer.usageFor([]),
    ...(citations && { citations }),
  };
}

/** The answer as a stream, from its first part on. Nothing comes after [DONE]. */
export async function* completionFrames(
  parts: AsyncIterable<CompletionPart>,
  head: CompletionHead,
  { includeUsage, events, showsTools, sessionId, now }: StreamOptions,
): AsyncGenerator<Frame> {
  const chunk = (delta: object, finish_reason: string | null = null, logprobs: object | null = null): Frame => ({
    data: {
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, logprobs, finish_reason }],
      ...(includeUsage && { usage: null }),
    },
  });
  let sequence = 0;
  const frame = (type: string, payload: object): Frame[] => {
    if (events === 'none') return [];
    const common = { type, seq: sequence++, run_id: head.id, session_id: sessionId, ts: now() };
    const { data } = chunk({});
    return [
      { ...(events === 'named' && { event: type }), data: { ...(data as object), event: { ...common, ...payload } } },
    ];
  };
  const event = <Type extends keyof ChatPayloads>(type: Type, payload: ChatPayloads[Type]) => frame(type, payload);
  let hasBegun = false;
  const begin = (): Frame[] => {
    if (hasBegun) return [];
    hasBegun = true;
    return [chunk({ role: 'assistant', content: '' })];
  };
  let finish: string | null = null;
  let usage: Usage | null = null;

  let citations: Citation[] | null = null;
  for await (const part of parts) {
    if (part.kind === 'knowledge_retrieved') {
      citations = part.hits.map((hit) => toCitation(hit, showsTools));
      yield* event(part.kind, { query: part.query, documents: citations });
      continue;
    }
    if (isToolPart(part)) {
      yield* event(part.kind, toolEvent(part, showsTools));
      continue;
    }
    switch (part.kind) {
      case 'retry':
        yield* event('retry', {
          scope: part.scope,
          code: part.code,
          message: part.message,
          attempt: part.attempt,
          max_attempts: part.maxAttempts,
          delay_ms: part.delayMs,
        });
        break;
      case 'event':
        yield* frame(part.type, part.payload);
        break;
      case 'files':
        yield* begin();
        yield chunk(toFileMembers(part.files));
        break;
      case 'text':
        yield* begin();
        yield chunk({ content: part.text }, null, part.logprobs ?? null);
        break;
      case 'refusal':
        yield* begin();
        yield chunk({ refusal: part.text });
        break;
      case 'reasoning':
        yield* begin();
        yield chunk({ reasoning_content: part.text });
        break;
      case 'tool_calls':
        yield* begin();
        yield chunk({ tool_calls: part.calls.map(toCallMembers) });
        break;
      case 'attachments':
      case 'opaque':
        yield* begin();
        yield chunk(part.members);
        break;
      case 'finish':
        finish = part.reason;
        break;
      case 'usage':
        usage = part.usage;
        break;
    }
  }
  yield* begin();
  const cited = citations && { citations };
  const last = chunk({}, finish ?? 'stop');
  yield includeUsage ? last : { data: { ...(last.data as object), ...cited } };
  yield* event('message_end', { usage, finish_reason: finish ?? 'stop', ...cited });
  if (includeUsage) yield { data: { ...head, object: 'chat.completion.chunk', choices: [], usage, ...cited } };
  yield { data: '[DONE]' };
}

function toCallMembers({ opaque, ...call }: ToolCall | ToolCallDelta): object {
  return { ...call, ...opaque };
}

/** Members of a message for its files, and for what the model gave with its text; pictures are content parts, too. */
export function toFileMembers(
  files: readonly AnswerFile[],
  { images: ofModel = [], annotations = [] }: Attachments = {},
) {
  const drawn = files
    .filter(({ mediaType }) => mediaType.startsWith('image/'))
    .map(({ url }) => ({ type: 'image_url' as const, image_url: { url } }));
  const images = [...ofModel, ...drawn];
  return {
    ...(images.length > 0 && { images }),
    ...(annotations.length > 0 && { annotations: [...annotations] }),
    ...(files.length > 0 && { files: files.map(toFileResponse) }),
  };
}

/** A passage that the model knows by its number, from 1. Visitors of a public chatbot see of it what the answer quotes. */
export function toCitation(
  { documentId: id, title, page, heading, score, text }: KnowledgeHit,
  showsText: boolean,
): Citation {
  return {
    id,
    title,
    page,
    heading: [...heading],
    score,
    ...(showsText && { snippet: text }),
    source: sourceOf({ title, heading, page }),
  };
}

/**
 * OpenAI's clients of JavaScript before version 5, and of Python before version 2, end at an event with a name that they do
 * not know: they get the same data without it.
 */
export function eventForm(
  wanted: EventForm | undefined,
  byDefault: EventForm,
  client: { readonly language: string | undefined; readonly version: string | undefined },
): EventForm {
  const form = wanted ?? byDefault;
  const firstMajor = { js: 5, python: 2 }[client.language ?? ''];
  const isOld = firstMajor !== undefined && Number.parseInt(client.version ?? '', 10) < firstMajor;
  return form === 'named' && isOld ? 'data' : form;
}

/** The frames of a source, once the first one is there: an earlier failure still gets a normal error response. */
export async function begun(frames: AsyncGenerator<Frame>): Promise<AsyncGenerator<Frame>> {
  const first = await frames.next();
  return (async function* () {
    try {
      if (!first.done) yield first.value;
      yield* frames;
    } finally {
      await frames.return(undefined);
    }
  })();
}
