import { boundedJson } from '../../shared/bounded-json.ts';
import type { AnswerPart } from './answer-part.ts';
import type { Attachments, FinishReason, ToolCallDelta, Usage } from './chat-model.ts';
import type { ChatMessage, ReasoningOrigin, ToolCall } from './messages.ts';
import { OpaqueSum } from './opaque-members.ts';
import { estimateTokens, messageTokens } from './tokens.ts';

export type AssistantMessage = Extract<ChatMessage, { role: 'assistant' }>;

/** Puts together what a model answers in parts. */
export class Answer {
  #text = '';
  #refusal = '';
  #reasoning = '';
  #origin: ReasoningOrigin | null = null;
  /** Length of the reasoning that is signed. */
  #signedLength = 0;
  #logprobs: { content: unknown[]; refusal: null } | null = null;
  readonly #opaque = new OpaqueSum();
  readonly #calls: { id: string; type: string; name: string; input: string; opaque: OpaqueSum }[] = [];
  attachments: Attachments = {};
  finishReason: FinishReason | null = null;
  usage: Usage | null = null;

  add(part: AnswerPart): void {
    switch (part.kind) {
      case 'text': {
        this.#text += part.text;
        const { content } = (part.logprobs ?? {}) as { content?: unknown };
        if (Array.isArray(content)) {
          this.#logprobs ??= { content: [], refusal: null };
          this.#logprobs.content.push(...content);
        }
        return;
      }
      case 'refusal':
        this.#refusal += part.text;
        return;
      case 'reasoning':
        this.#reasoning += part.text;
        this.#setOrigin(part.model);
        if (this.#origin && part.signature !== undefined) {
          const signed = { text: this.#reasoning.slice(this.#signedLength), signature: part.signature };
          this.#signedLength = this.#reasoning.length;
          this.#origin = { ...this.#origin, signed: [...(this.#origin.signed ?? []), signed] };
        }
        return;
      case 'attachments':
        this.#attach(part.members);
        return;
      case 'opaque':
        this.#opaque.add(part.members);
        this.#setOrigin(part.model);
        return;
      case 'tool_calls':
        for (const call of part.calls) this.#addCall(call);
        if (part.calls.some(({ opaque }) => opaque)) this.#setOrigin(part.model);
        return;
      case 'finish':
        this.finishReason = part.reason;
        return;
      case 'usage':
        this.usage = part.usage;
        return;
    }
  }

  #attach({ images, annotations }: Attachments): void {
    const { images: earlier = [], annotations: cited = [] } = this.attachments;
    this.attachments = {
      ...this.attachments,
      ...(images && { images: [...earlier, ...images] }),
      ...(annotations && { annotations: [...cited, ...annotations] }),
    };
  }

  #setOrigin(model: string | undefined): void {
    if (model !== undefined) this.#origin = { ...this.#origin, model };
  }

  #addCall({ index, id, type, function: called, custom, opaque }: ToolCallDelta): void {
    this.#calls[index] ??= { id: '', type: 'function', name: '', input: '', opaque: new OpaqueSum() };
    const call = this.#calls[index];
    call.id ||= id ?? '';
    if (type) call.type = type;
    // Some servers repeat it with every fragment.
    call.name ||= called?.name ?? custom?.name ?? '';
    call.input += called?.arguments ?? custom?.input ?? '';
    if (opaque) call.opaque.add(opaque);
  }

  get text(): string {
    return this.#text;
  }

  get reasoning(): string {
    return this.#reasoning;
  }

  get logprobs(): object | null {
    return this.#logprobs;
  }

  get toolCalls(): ToolCall[] {
    return this.#calls.map(({ id, type, name, input, opaque: { members } }) => ({
      id,
      ...(type === 'custom'
        ? { type: 'custom', custom: { name, input } }
        : { type: 'function', function: { name, arguments: input } }),
      ...(members && { opaque: members }),
    }));
  }

  /** As it goes into a history. */
  get message(): AssistantMessage & { readonly content: string | null; readonly refusal: string | null } {
    const calls = this.toolCalls;
    return {
      role: 'assistant',
      content: this.#text === '' && (calls.length > 0 || this.#refusal !== '') ? null : this.#text,
      refusal: this.#refusal === '' ? null : this.#refusal,
      ...(calls.length > 0 && { tool_calls: calls }),
      ...this.reasoned,
    };
  }

  /** Members of a message that keep the reasoning and the opaque members for the model that gave them. */
  get reasoned(): Pick<AssistantMessage, 'reasoning_content' | 'opaque' | 'reasoning_origin'> {
    const { members } = this.#opaque;
    return {
      ...((this.#reasoning !== '' || this.#origin?.signed) && { reasoning_content: this.#reasoning }),
      ...(members && { opaque: members }),
      ...(this.#origin && { reasoning_origin: this.#origin }),
    };
  }

  /** The provider's counts; an estimate without them. */
  usageFor(messages: readonly ChatMessage[]): Usage {
    if (this.usage !== null) return this.usage;
    const prompt_tokens = messages.reduce((sum, message) => sum + messageTokens(message), 0);
    const { reasoning_content = '', ...said } = this.message;
    const completion_tokens = messageTokens(said) + estimateTokens(reasoning_content);
    return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
  }
}

interface NumberedCall {
  readonly number: number;
  id: string | undefined;
  name: string | undefined;
  input: string;
}

/**
 * Numbers tool calls from 0 in the order of their appearance. Providers count content blocks among them, or give every
 * call the number 0; clients put fragments together by it.
 */
export class CallNumbers {
  readonly #byProvider = new Map<number, NumberedCall>();
  #count = 0;

  renumber(delta: ToolCallDelta): ToolCallDelta {
    const { index, id } = delta;
    const name = delta.function?.name ?? delta.custom?.name;
    const input = delta.function?.arguments ?? delta.custom?.input ?? '';
    const known = this.#byProvider.get(index);
    if (known && !isAnother(known, { id, name, input }, delta.custom !== undefined)) {
      known.id ??= id;
      known.name ??= name;
      known.input += input;
      return { ...delta, index: known.number };
    }
    const number = this.#count++;
    this.#byProvider.set(index, { number, id, name, input });
    return { ...delta, index: number };
  }
}

/**
 * Whether a fragment starts another call than the last one of its index. Some servers make a new id for each fragment, others repeat the name
 * with each, and others send whole calls with neither id nor index: a call of the same name follows where the arguments so far are whole.
 */
function isAnother(known: NumberedCall, { id, name, input }: Omit<NumberedCall, 'number'>, isCustom: boolean): boolean {
  if (name === undefined || known.name === undefined) return false;
  if (known.name !== name) return true;
  const hasNewId = id !== undefined && known.id !== undefined && id !== known.id;
  if (isCustom || (known.input === '' && input === '')) return hasNewId;
  const hasSameId = id !== undefined && id === known.id;
  return !hasSameId && (hasNewId || input !== '') && isWhole(known.input);
}

/** Longer arguments are not taken for whole ones: they would be parsed with each fragment. */
const MAX_WHOLE_LENGTH = 100_000;

function isWhole(json: string): boolean {
  if (json.length > MAX_WHOLE_LENGTH) return false;
  try {
    return typeof boundedJson(json) === 'object';
  } catch {
    return false;
  }
}
