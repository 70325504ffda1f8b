import type { Asker, ChatModels, ModelPart, ModelRequest, ToolDefinition } from '../../../chat/domain/chat-model.ts';
import { type ChatMessage, textOf } from '../../../chat/domain/messages.ts';
import { isObject } from '../graph/graph.ts';
import { jsonIn } from './json-in.ts';

type ModelConfig = Parameters<ChatModels['stream']>[0];

const ACTION = 'Action:';
const ANSWER = /^[ \t]*Final ?Answer:[ \t]*/im;
const ACTION_LINE = /^[ \t]*Action:/im;
const THOUGHT = /^[ \t]*Thought:[ \t]*/i;

/**
 * Models that call tools in writing (ReAct: reason and act), where they have no function calling. They write a thought, and then an
 * action or their final answer; the results of actions are sent to them as observations.
 */
export class ReactModels implements ChatModels {
  readonly #models: ChatModels;

  constructor(models: ChatModels) {
    this.#models = models;
  }

  async *stream(model: ModelConfig, asker: Asker, request: ModelRequest, signal: AbortSignal) {
    if (request.tools.length === 0) {
      yield* this.#models.stream(model, asker, request, signal);
      return;
    }
    const isLast = request.toolChoice === 'none';
    const written: ModelRequest = {
      ...request,
      messages: [instructions(request.tools, isLast), ...request.messages.map(inWriting)],
      stop: [...request.stop, 'Observation:'].slice(-4),
      ...{ tools: [], toolChoice: null },
    };
    const reader = new ReactReader();
    for await (const part of this.#models.stream(model, asker, written, signal)) {
      if (part.kind === 'text') yield* reader.read(part.text);
      else if (part.kind === 'finish') {
        yield* reader.end();
        yield { kind: 'finish' as const, reason: reader.hasCalled ? ('tool_calls' as const) : part.reason };
      } else yield part;
    }
    yield* reader.end();
  }
}

function instructions(tools: readonly ToolDefinition[], isLast: boolean): ChatMessage {
  const described = tools.map((tool) => JSON.stringify(tool.type === 'function' ? tool.function : tool.custom));
  const content = [
    'You reason step by step, and may use these tools:',
    ...described,
    'Write a thought, and then either one action or your final answer:',
    'Thought: why you do the next step',
    `${ACTION} {"tool": "<name of a tool>", "input": {<its arguments>}}`,
    'or:',
    'Thought: why you know enough',
    'Final Answer: <the answer for the user>',
    'Stop after an action. Its result comes as "Observation:".',
    ...(isLast ? ['There are no further actions: give the final answer now.'] : []),
  ].join('\n');
  return { role: 'system', content };
}

/** A message of an agent as the model has written it, or as it is sent the result of an action. */
function inWriting(message: ChatMessage): ChatMessage {
  if (message.role === 'tool') return { role: 'user', content: `Observation: ${textOf(message)}` };
  if (message.role !== 'assistant' || !message.tool_calls) return message;
  const [call] = message.tool_calls;
  const thought = message.reasoning_content ? [`Thought: ${message.reasoning_content}`] : [];
  const action = `${ACTION} {"tool": ${JSON.stringify(call?.function?.name)}, "input": ${call?.function?.arguments || '{}'}}`;
  return { role: 'assistant', content: [...thought, action].join('\n') };
}

/** Reads the steps of a model as they come. Text without any form is an answer. */
class ReactReader {
  #held = '';
  #isAnswer = false;
  hasCalled = false;

  *read(text: string): Generator<ModelPart> {
    if (this.#isAnswer) {
      if (text !== '') yield { kind: 'text', text };
      return;
    }
    // Earlier lines have been read already.
    const from = this.#held.lastIndexOf('\n') + 1;
    this.#held += text;
    const found = ANSWER.exec(this.#held.slice(from));
    const at = from + (found?.index ?? 0);
    // An action before the answer comes first.
    if (!found || ACTION_LINE.test(this.#held.slice(0, at))) return;
    const rest = this.#held.slice(at + found[0].length);
    if (rest === '') return;
    yield* this.#thought(this.#held.slice(0, at));
    this.#held = '';
    this.#isAnswer = true;
    yield { kind: 'text', text: rest };
  }

  *end(): Generator<ModelPart> {
    const held = this.#held;
    this.#held = '';
    if (held === '') return;
    const action = ACTION_LINE.exec(held);
    const call = action && jsonIn(held.slice(action.index + action[0].length));
    if (!action || !isObject(call ?? undefined)) {
      const text = held.replace(ANSWER, '').replace(THOUGHT, '').trim();
      if (text !== '') yield { kind: 'text', text };
      return;
    }
    yield* this.#thought(held.slice(0, action.index));
    this.hasCalled = true;
    const { tool, action: named, input, action_input } = call as Readonly<Record<string, unknown>>;
    const name = String(tool ?? named ?? '');
    const given = JSON.stringify(input ?? action_input ?? {});
    yield {
      kind: 'tool_calls',
      calls: [{ index: 0, id: 'call_1', type: 'function', function: { name, arguments: given } }],
    };
  }

  *#thought(text: string): Generator<ModelPart> {
    const thought = text.replace(THOUGHT, '').trim();
    if (thought !== '') yield { kind: 'reasoning', text: thought };
  }
}
