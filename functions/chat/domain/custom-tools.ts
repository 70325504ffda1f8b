import { boundedJson } from '../../shared/bounded-json.ts';
import { CallNumbers } from './answer.ts';
import { isOpenAi, type ModelConfig } from './application.ts';
import type { ModelPart, ModelRequest, ToolCallDelta, ToolChoice, ToolDefinition } from './chat-model.ts';
import type { ChatMessage, ToolCall } from './messages.ts';

/**
 * Custom tools, whose input is a text, for models that call functions only: functions with one parameter. The model's calls are custom again
 * for the client. Of the servers with OpenAI's API only OpenAI's own knows custom tools.
 */
export interface CustomTools {
  readonly request: ModelRequest;
  /** The parts of an answer to the request. */
  answered(parts: AsyncIterable<ModelPart>): AsyncIterable<ModelPart>;
}

export function withoutCustomTools(model: Pick<ModelConfig, 'baseUrl'>, request: ModelRequest): CustomTools {
  const names = new Set(request.tools.flatMap((tool) => (tool.type === 'custom' ? [tool.custom.name] : [])));
  const hasCalls = request.messages.some(
    (message) => message.role === 'assistant' && message.tool_calls?.some(({ type }) => type === 'custom'),
  );
  if ((names.size === 0 && !hasCalls) || isOpenAi(model)) return { request, answered: (parts) => parts };
  const { messages, tools, toolChoice } = request;
  return {
    request: {
      ...request,
      messages: messages.map(toFunctionCalls),
      tools: tools.map(toFunction),
      toolChoice: toFunctionChoice(toolChoice),
    },
    answered: (parts) => (names.size === 0 ? parts : withCustomCalls(parts, names)),
  };
}

function toFunction(tool: ToolDefinition): ToolDefinition {
  if (tool.type === 'function') return tool;
  const { name, description, format } = tool.custom as { name: string; description?: unknown; format?: unknown };
  const { type, grammar } = Object(format) as { type?: unknown; grammar?: { syntax?: unknown; definition?: unknown } };
  const described = [
    ...(typeof description === 'string' ? [description] : []),
    'The whole text is the value of `input`.',
    ...(type === 'grammar' ? [`It follows this ${grammar?.syntax} grammar:\n${grammar?.definition}`] : []),
  ].join('\n\n');
  const input = { type: 'string', description: 'The input of the tool, a text as it is' };
  const parameters = { type: 'object', properties: { input }, required: ['input'], additionalProperties: false };
  return { type: 'function', function: { name, description: described, parameters } };
}

function toFunctionCalls(message: ChatMessage): ChatMessage {
  if (message.role !== 'assistant' || !message.tool_calls) return message;
  return { ...message, tool_calls: message.tool_calls.map(toFunctionCall) };
}

function toFunctionCall({ custom, ...call }: ToolCall): ToolCall {
  if (custom === undefined) return call;
  const { name, input } = custom;
  return { ...call, type: 'function', function: { name, arguments: JSON.stringify({ input }) } };
}

function toFunctionChoice(choice: ToolChoice | null): ToolChoice | null {
  if (typeof choice !== 'object' || choice?.type !== 'custom') return choice;
  const { name } = Object(choice.custom) as { name?: unknown };
  return typeof name === 'string' ? { type: 'function', function: { name } } : choice;
}

/** A call with the fragments that have arrived so far. */
interface ReadCall {
  name: string | undefined;
  /** Before the name. */
  readonly waiting: ToolCallDelta[];
  arguments: string;
}

/** Calls of functions with the names of custom tools are calls of those: their inputs are read from the arguments when these are whole. */
async function* withCustomCalls(
  parts: AsyncIterable<ModelPart>,
  names: ReadonlySet<string>,
): AsyncGenerator<ModelPart> {
  const numbers = new CallNumbers();
  const known = new Map<number, ReadCall>();
  const read = (delta: ToolCallDelta): readonly ToolCallDelta[] => {
    const call = known.get(delta.index) ?? { name: undefined, waiting: [], arguments: '' };
    known.set(delta.index, call);
    call.name ??= delta.function?.name ?? delta.custom?.name;
    if (call.name === undefined) {
      call.waiting.push(delta);
      return [];
    }
    const { name } = call;
    return [...call.waiting.splice(0), delta].map((each, place, { length }) => {
      const { function: called, ...rest } = each;
      if (!names.has(name) || each.custom) return each;
      call.arguments += called?.arguments ?? '';
      // Its name comes once, with the fragment that had it.
      const isNamed = place === length - 1 && called?.name !== undefined;
      return { ...rest, type: 'custom', custom: isNamed ? { name } : {} };
    });
  };
  const inputs = (): readonly ToolCallDelta[] =>
    [...known].flatMap(([index, { name, waiting, arguments: text }]) => {
      if (name === undefined) return waiting;
      return names.has(name) && text !== '' ? [{ index, custom: { input: inputIn(text) } }] : [];
    });
  let model: string | undefined;
  let hasEnded = false;
  for await (const part of parts) {
    if (part.kind === 'tool_calls') {
      model = part.model ?? model;
      const calls = part.calls.flatMap((call) => read(numbers.renumber(call)));
      if (calls.length > 0) yield { ...part, calls };
      continue;
    }
    if (part.kind === 'finish' && !hasEnded) {
      hasEnded = true;
      const calls = inputs();
      if (calls.length > 0) yield { kind: 'tool_calls', calls, ...(model !== undefined && { model }) };
    }
    yield part;
  }
}

/** The text in the arguments. Models forget the object around it, or name it otherwise: then all of it, or its only text, is the input. */
function inputIn(text: string): string {
  try {
    const value: unknown = boundedJson(text);
    if (typeof value === 'string') return value;
    const { input, ...rest } = Object(value) as Record<string, unknown>;
    if (typeof input === 'string') return input;
    const [only, ...more] = Object.values(rest);
    return typeof only === 'string' && more.length === 0 ? only : text;
  } catch {
    return text;
  }
}
