import type * as z from 'zod';
import type { ChatMessage, Content, ContentPart, ToolCall } from '../domain/messages.ts';
import type { inputItemList, inputItemsQuery } from './schemas.ts';

export interface InputItem {
  readonly id: string;
  readonly type: string;
  readonly [member: string]: unknown;
}

/**
 * The messages that a client added with its request, as items of OpenAI's Responses API. Each id follows from the turn and the place of the item.
 * @param customCalls ids of the calls of custom tools before them
 */
export function inputItems(
  turnId: string,
  messages: readonly ChatMessage[],
  customCalls: ReadonlySet<string>,
): readonly InputItem[] {
  const custom = new Set(customCalls);
  for (const message of messages)
    if (message.role === 'assistant') for (const id of customCallsOf(message)) custom.add(id);
  const own = turnId.slice(turnId.indexOf('-') + 1);
  return messages
    .flatMap((message) => itemsOf(message, custom))
    .map((item, index) => ({ id: `${PREFIXES[item.type] ?? 'item'}_${own}_${index}`, ...item }));
}

/** Ids of the calls of custom tools in an answer. */
export function customCallsOf({
  tool_calls = [],
}: {
  readonly tool_calls?: readonly ToolCall[] | undefined;
}): string[] {
  return tool_calls.filter(({ type }) => type === 'custom').map(({ id }) => id);
}

/** One page of items. @returns null if `after` is not the id of one */
export function pageOfItems(
  items: readonly InputItem[],
  { order, after, limit }: z.output<typeof inputItemsQuery>,
): z.output<typeof inputItemList> | null {
  const ordered = order === 'asc' ? items : items.toReversed();
  const before = after === undefined ? -1 : ordered.findIndex(({ id }) => id === after);
  if (after !== undefined && before < 0) return null;
  const data = ordered.slice(before + 1, before + 1 + limit);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: before + 1 + limit < ordered.length,
  };
}

const PREFIXES: Readonly<Record<string, string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  function_call_output: 'fco',
  custom_tool_call: 'ctc',
  custom_tool_call_output: 'ctco',
};
const STATUS = { status: 'completed' } as const;

type NewItem = Omit<InputItem, 'id'> & { readonly type: string };

function itemsOf(message: ChatMessage, custom: ReadonlySet<string>): readonly NewItem[] {
  switch (message.role) {
    case 'assistant':
      return answerItems(message);
    case 'tool': {
      const { content, tool_call_id: call_id } = message;
      const type = custom.has(call_id) ? 'custom_tool_call_output' : 'function_call_output';
      const output = typeof content === 'string' ? content : content.map(inputPart);
      return [{ type, ...STATUS, call_id, output }];
    }
    default:
      return [{ type: 'message', ...STATUS, role: message.role, content: partsOf(message.content).map(inputPart) }];
  }
}

function answerItems(message: Extract<ChatMessage, { role: 'assistant' }>): readonly NewItem[] {
  const { content, refusal, reasoning_content: reasoning, tool_calls = [] } = message;
  const parts = [
    ...partsOf(content ?? []).map(outputPart),
    ...(refusal ? [outputPart({ type: 'refusal', refusal })] : []),
  ];
  return [
    ...(reasoning ? [{ type: 'reasoning', summary: [{ type: 'summary_text', text: reasoning }] }] : []),
    ...(parts.length > 0 ? [{ type: 'message', ...STATUS, role: 'assistant', content: parts }] : []),
    ...tool_calls.map(callItem),
  ];
}

function callItem({ id: call_id, function: called, custom }: ToolCall): NewItem {
  return custom === undefined
    ? { type: 'function_call', ...STATUS, call_id, name: called?.name ?? '', arguments: called?.arguments ?? '' }
    : { type: 'custom_tool_call', ...STATUS, call_id, name: custom.name, input: custom.input };
}

function partsOf(content: Content): readonly ContentPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function inputPart(part: ContentPart): object {
  switch (part.type) {
    case 'text':
      return { type: 'input_text', text: part.text };
    case 'image_url': {
      const { url: image_url, detail = 'auto' } = part.image_url;
      return { type: 'input_image', image_url, detail, file_id: null };
    }
    case 'file':
      return { type: 'input_file', file_id: null, ...part.file };
    default:
      return part;
  }
}

function outputPart(part: ContentPart): object {
  return part.type === 'text' ? { type: 'output_text', text: part.text, annotations: [], logprobs: [] } : part;
}
