import type * as z from 'zod';
import { toCitation, toFileMembers } from '../completions/wire.ts';
import { Answer } from '../domain/answer.ts';
import type { AnswerFile } from '../domain/answer-files.ts';
import type { Attachments, FinishReason, ToolCallDelta, Usage } from '../domain/chat-model.ts';
import type { CompletionPart } from '../domain/complete.ts';
import { isToolPart } from '../domain/tools/tool-events.ts';
import { CarriedMembers } from './carried-members.ts';
import type { ResponseBody, response } from './schemas.ts';
import type { ResponseTools } from './tools.ts';

/** Members that a response has before it has an answer. */
export interface ResponseHead {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  readonly request: Partial<ResponseBody>;
  readonly tools: ResponseTools;
}

export type ResponseObject = z.output<typeof response>;

export interface ResponseEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly response?: ResponseObject;
  readonly [member: string]: unknown;
}

/** An item of the output that is being written. */
interface OpenItem {
  readonly index: number;
  readonly id: string;
  text: string;
  /** As it is written so far; `ends` gives the events behind its last part. */
  shown(): Shown;
  ends(): readonly Unnumbered[];
}
type Shown = ResponseObject['output'][number];
type Unnumbered = { readonly type: string } & Readonly<Record<string, unknown>>;

/** The events of a response, from the first part of the answer on; the last one holds it whole. */
export async function* responseEvents(
  parts: AsyncIterable<CompletionPart>,
  head: ResponseHead,
): AsyncGenerator<ResponseEvent> {
  let sequence = 0;
  const numbered = (event: Unnumbered): ResponseEvent => ({ ...event, sequence_number: sequence++ });
  const output = new Output(head.id, head.tools, Boolean(head.request.reasoning?.summary));
  const carried = new CarriedMembers();
  let finish: FinishReason = 'stop';
  let usage: Usage | null = null;
  let citations: ResponseObject['citations'];
  const files: AnswerFile[] = [];
  const attached = new Answer();
  let hasBegun = false;
  for await (const part of parts) {
    if (!hasBegun) {
      hasBegun = true;
      const begun = toResponse(head, { status: 'in_progress', output: [], usage: null });
      yield numbered({ type: 'response.created', response: begun });
      yield numbered({ type: 'response.in_progress', response: begun });
    }
    if (part.kind === 'opaque' || part.kind === 'tool_calls') carried.add(part);
    if (part.kind === 'knowledge_retrieved') citations = part.hits.map((hit) => toCitation(hit, true));
    else if (part.kind === 'files') files.push(...part.files);
    else if (part.kind === 'finish') finish = part.reason;
    else if (part.kind === 'usage') usage = part.usage;
    else if (part.kind === 'attachments') attached.add(part);
    else if (part.kind !== 'event' && part.kind !== 'retry' && part.kind !== 'opaque' && !isToolPart(part))
      for (const event of output.add(part)) yield numbered(event);
  }
  for (const event of output.end(carried.text)) yield numbered(event);
  const reason = INCOMPLETE[finish];
  const status = reason === undefined ? 'completed' : 'incomplete';
  const whole = toResponse(head, {
    status,
    output: output.shown,
    usage,
    reason,
    citations,
    files,
    attachments: attached.attachments,
  });
  yield numbered({ type: `response.${status}`, response: whole });
}

const INCOMPLETE: Readonly<Partial<Record<FinishReason, 'max_output_tokens' | 'content_filter'>>> = {
  length: 'max_output_tokens',
  content_filter: 'content_filter',
};

/** The items of a response's output, each with its events. */
class Output {
  readonly #suffix: string;
  readonly #items: OpenItem[] = [];
  /** The item to which texts are added. */
  #text: (OpenItem & { readonly kind: 'text' | 'refusal' | 'reasoning' }) | null = null;
  readonly #calls = new Map<number, OpenCall>();
  readonly #tools: ResponseTools;
  readonly #hasSummary: boolean;

  /** @param hasSummary whether thoughts come as summaries, too. */
  constructor(responseId: string, tools: ResponseTools, hasSummary: boolean) {
    this.#suffix = responseId.slice(-26);
    this.#tools = tools;
    this.#hasSummary = hasSummary;
  }

  get shown(): Shown[] {
    return this.#items.map((item) => item.shown());
  }

  *add(
    part:
      | { readonly kind: 'text' | 'refusal' | 'reasoning'; readonly text: string }
      | { readonly kind: 'tool_calls'; readonly calls: readonly ToolCallDelta[] },
  ): Generator<Unnumbered> {
    if (part.kind === 'tool_calls') {
      yield* this.#endText();
      for (const call of part.calls) yield* this.#addCall(call);
      return;
    }
    if (part.text === '') return;
    if (this.#text?.kind !== part.kind) {
      yield* this.#endText();
      yield* this.#endCalls();
      yield* this.#beginText(part.kind);
    }
    const item = this.#text!;
    item.text += part.text;
    const place = { item_id: item.id, output_index: item.index, content_index: 0 };
    const type = `response.${TEXT_EVENTS[part.kind]}.delta`;
    yield { type, ...place, delta: part.text, ...(part.kind === 'text' && { logprobs: [] }) };
    if (part.kind === 'reasoning' && this.#hasSummary)
      yield {
        type: 'response.reasoning_summary_text.delta',
        item_id: item.id,
        output_index: item.index,
        summary_index: 0,
        delta: part.text,
      };
  }

  /** @param carried opaque members, for a separate last item; null: none. */
  *end(carried: string | null): Generator<Unnumbered> {
    yield* this.#endText();
    yield* this.#endCalls();
    if (carried === null) return;
    const output_index = this.#items.length;
    const id = `rs_${this.#suffix}${output_index}`;
    const item: Shown = { id, type: 'reasoning', summary: [], encrypted_content: carried, status: 'completed' };
    this.#items.push({ index: output_index, id, text: '', shown: () => item, ends: () => [] });
    yield { type: 'response.output_item.added', output_index, item };
    yield { type: 'response.output_item.done', output_index, item };
  }

  /** Calls one behind the other: fragments may interleave, and clients take an item for whole when the next one starts. */
  *#endCalls(): Generator<Unnumbered> {
    for (const call of this.#calls.values()) {
      if (!call.isShown) {
        yield added(call);
        if (call.text !== '') yield argumentsDelta(call, call.text);
      }
      yield* call.ends();
    }
    this.#calls.clear();
  }

  *#beginText(kind: 'text' | 'refusal' | 'reasoning'): Generator<Unnumbered> {
    const index = this.#items.length;
    const id = `${kind === 'reasoning' ? 'rs' : 'msg'}_${this.#suffix}${index}`;
    const place = { item_id: id, output_index: index, content_index: 0 };
    const content = (text: string) => {
      if (kind === 'refusal') return { type: 'refusal', refusal: text };
      return kind === 'reasoning' ? { type: 'reasoning_text', text } : { type: 'output_text', text, ...NO_NOTES };
    };
    const frame = (status: 'in_progress' | 'completed', parts: readonly object[]): Shown =>
      kind === 'reasoning'
        ? { id, type: 'reasoning', summary: this.#hasSummary ? summaryOf(parts) : [], content: parts, status }
        : { id, type: 'message', role: 'assistant', content: parts, status };
    const item = {
      kind,
      index,
      id,
      text: '',
      shown: () => frame('completed', [content(item.text)]),
      ends: () => {
        const { text } = item;
        const said = kind === 'refusal' ? { refusal: text } : { text, ...(kind === 'text' && { logprobs: [] }) };
        return [
          { type: `response.${TEXT_EVENTS[kind]}.done`, ...place, ...said },
          { type: 'response.content_part.done', ...place, part: content(text) },
          ...(kind === 'reasoning' && this.#hasSummary ? summaryEnds(id, index, text) : []),
          { type: 'response.output_item.done', output_index: index, item: item.shown() },
        ];
      },
    };
    this.#items.push(item);
    this.#text = item;
    yield { type: 'response.output_item.added', output_index: index, item: frame('in_progress', []) };
    yield { type: 'response.content_part.added', ...place, part: content('') };
    if (kind === 'reasoning' && this.#hasSummary)
      yield {
        type: 'response.reasoning_summary_part.added',
        item_id: id,
        output_index: index,
        summary_index: 0,
        part: { type: 'summary_text', text: '' },
      };
  }

  *#endText(): Generator<Unnumbered> {
    const item = this.#text;
    this.#text = null;
    if (item !== null) yield* item.ends();
  }

  *#addCall({ index: number, id: callId, type, function: called, custom }: ToolCallDelta): Generator<Unnumbered> {
    let item = this.#calls.get(number);
    if (item === undefined) {
      const isFirst = this.#calls.size === 0;
      item = this.#newCall(callId ?? '', called?.name ?? custom?.name ?? '', type === 'custom', isFirst);
      this.#calls.set(number, item);
      if (isFirst) yield added(item);
    }
    const delta = called?.arguments ?? custom?.input ?? '';
    if (delta === '') return;
    item.text += delta;
    if (item.isShown) yield argumentsDelta(item, delta);
  }

  #newCall(call_id: string, flat: string, isCustom: boolean, isShown: boolean): OpenCall {
    const { name, ...inNamespace } = this.#tools.named.get(flat) ?? { name: flat };
    const index = this.#items.length;
    const id = `${isCustom ? 'ctc' : 'fc'}_${this.#suffix}${index}`;
    const item: OpenCall = {
      index,
      id,
      text: '',
      isCustom,
      isShown,
      shown: () =>
        isCustom
          ? { id, type: 'custom_tool_call', call_id, name, ...inNamespace, input: item.text, status: 'completed' }
          : { id, type: 'function_call', call_id, name, ...inNamespace, arguments: item.text, status: 'completed' },
      ends: () => {
        const place = { item_id: id, output_index: index };
        return [
          isCustom
            ? { type: 'response.custom_tool_call_input.done', ...place, input: item.text }
            : { type: 'response.function_call_arguments.done', ...place, name, arguments: item.text },
          { type: 'response.output_item.done', output_index: index, item: item.shown() },
        ];
      },
    };
    this.#items.push(item);
    return item;
  }
}

interface OpenCall extends OpenItem {
  readonly isCustom: boolean;
  /** Whether its events are sent as they come: those of the first call are, the others wait for its end. */
  readonly isShown: boolean;
}

function added(call: OpenCall): Unnumbered {
  const item = { ...call.shown(), status: 'in_progress', [call.isCustom ? 'input' : 'arguments']: '' };
  return { type: 'response.output_item.added', output_index: call.index, item };
}

function argumentsDelta({ isCustom, id, index }: OpenCall, delta: string): Unnumbered {
  const event = isCustom ? 'custom_tool_call_input' : 'function_call_arguments';
  return { type: `response.${event}.delta`, item_id: id, output_index: index, delta };
}

function summaryOf(parts: readonly object[]): readonly object[] {
  return parts.map((part) => ({ ...part, type: 'summary_text' }));
}

function summaryEnds(item_id: string, output_index: number, text: string): readonly Unnumbered[] {
  const place = { item_id, output_index, summary_index: 0 };
  return [
    { type: 'response.reasoning_summary_text.done', ...place, text },
    { type: 'response.reasoning_summary_part.done', ...place, part: { type: 'summary_text', text } },
  ];
}

const NO_NOTES = { annotations: [], logprobs: [] } as const;
const TEXT_EVENTS = { text: 'output_text', refusal: 'refusal', reasoning: 'reasoning_text' } as const;

interface Answered {
  readonly status: ResponseObject['status'];
  readonly output: Shown[];
  readonly usage: Usage | null;
  readonly reason?: 'max_output_tokens' | 'content_filter' | undefined;
  readonly citations?: ResponseObject['citations'];
  readonly files?: readonly AnswerFile[];
  readonly attachments?: Attachments;
}

function toResponse(
  { id, created, model, request, tools: { leftOut } }: ResponseHead,
  { status, output, usage, reason, citations, files = [], attachments = {} }: Answered,
): ResponseObject {
  const { instructions, max_output_tokens, metadata, parallel_tool_calls, previous_response_id, reasoning } = request;
  const { store, temperature, text, tool_choice, tools, top_p, user } = request;
  return {
    id,
    object: 'response',
    created_at: created,
    status,
    background: false,
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    instructions: instructions ?? null,
    max_output_tokens: max_output_tokens ?? null,
    max_tool_calls: null,
    model,
    output,
    parallel_tool_calls: parallel_tool_calls ?? true,
    previous_response_id: previous_response_id ?? null,
    reasoning: { effort: reasoning?.effort ?? null, summary: reasoning?.summary ?? null },
    service_tier: 'default',
    store: store ?? true,
    temperature: temperature ?? null,
    text: { format: text?.format ?? { type: 'text' }, verbosity: text?.verbosity ?? 'medium' },
    tool_choice: tool_choice ?? 'auto',
    tools: (tools ?? []).flatMap((tool) => {
      if (tool.type === 'hosted') return [];
      return [tool.type === 'function' ? { ...FUNCTION, ...tool } : tool];
    }),
    ...{
      top_logprobs: 0,
      top_p: top_p ?? null,
      truncation: 'disabled',
      user: user ?? null,
      metadata: { ...metadata, ...(leftOut.length > 0 && { tools_left_out: leftOut.join(', ').slice(0, 512) }) },
    },
    usage: usage && toUsage(usage),
    ...(citations && { citations }),
    ...toFileMembers(files, attachments),
  };
}

const FUNCTION = { description: null, parameters: null, strict: null } as const;

function toUsage(usage: Usage): NonNullable<ResponseObject['usage']> {
  const detail = (name: string, ...members: readonly string[]): number => {
    const details = { ...usage, ...Object(usage[name]) } as Record<string, unknown>;
    const count = members.map((member) => details[member]).find((each) => typeof each === 'number');
    return (count as number | undefined) ?? 0;
  };
  return {
    input_tokens: usage.prompt_tokens,
    input_tokens_details: {
      cached_tokens: detail('prompt_tokens_details', 'cached_tokens', 'cache_read_input_tokens'),
      // OpenAI and OpenRouter; LiteLLM, in the words of Anthropic
      cache_write_tokens: detail('prompt_tokens_details', 'cache_write_tokens', 'cache_creation_input_tokens'),
    },
    output_tokens: usage.completion_tokens,
    output_tokens_details: { reasoning_tokens: detail('completion_tokens_details', 'reasoning_tokens') },
    total_tokens: usage.total_tokens,
  };
}
