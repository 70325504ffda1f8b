import { Answer, type AssistantMessage, CallNumbers } from '../answer.ts';
import type { AnswerFile, FilesPart } from '../answer-files.ts';
import type { AnswerPart } from '../answer-part.ts';
import type { Application } from '../application.ts';
import { type AskPorts, askModels } from '../ask-models.ts';
import { CallIds, callIdsOf } from '../call-ids.ts';
import {
  type AskedWork,
  type FinishReason,
  ModelFailed,
  type ModelRequest,
  type ToolCallDelta,
  type ToolDefinition,
  type Usage,
} from '../chat-model.ts';
import type { ChatMessage, ToolCall } from '../messages.ts';
import { withSoundArguments } from '../sound-arguments.ts';
import { type CallContext, type FinishedCall, type RunPorts, runTools } from './run-tools.ts';
import { sumUsage } from './sum-usage.ts';
import type { Tool } from './tool.ts';

/** Events in addition to the answer's text when an application has tools. */
export type ToolPart =
  | {
      readonly kind: 'agent_thought';
      readonly step: number;
      readonly thought: string;
      readonly tools: readonly string[];
    }
  | { readonly kind: 'tool_call_started'; readonly callId: string; readonly name: string }
  | { readonly kind: 'tool_call_delta'; readonly callId: string; readonly argumentsDelta: string }
  | { readonly kind: 'tool_call_finished'; readonly finished: FinishedCall };

export type AgentPart = AnswerPart | ToolPart | FilesPart;

export interface AgentTask {
  readonly application: Pick<Application, 'workspaceId' | 'applicationId' | 'config'>;
  /** Its tools are the client's: calls of them are the end of the answer. */
  readonly request: ModelRequest;
  /** Server-side tools. */
  readonly tools: readonly Tool[];
  readonly context: Omit<CallContext, 'messages'>;
  /** Where answers cost something. */
  readonly work?: AskedWork;
  /** Calls of the model, at most `MAX_STEPS`. */
  readonly maxSteps?: number;
  /** Gets the usage of an answer that was cut short, by a failure or by a client that left: of all the model gave until then. */
  readonly onUnfinished?: (usage: Usage) => void;
}

export type AgentPorts = AskPorts & RunPorts;

export interface AgentOutcome {
  /** Messages between the request and the last answer: calls of tools and their results. */
  readonly steps: readonly ChatMessage[];
  readonly answer: AssistantMessage;
  readonly finishReason: FinishReason;
  /** Files that tools have left; absent: none. */
  readonly files?: readonly AnswerFile[];
  /** Of all steps. */
  readonly usage: Usage;
}

/** Calls of the model for one answer; in the last one it has to do without tools. */
export const MAX_STEPS = 10;
/** Tools run for so long in all; the model then answers with what it has. */
export const TOOLS_TIMEOUT_MS = 240_000;
/** Of a result, in characters; less in a small context window. */
const MAX_RESULT_LENGTH = 40_000;
const MIN_RESULT_LENGTH = 2_000;

/**
 * Asks the model, runs the tools that it calls, returns their results to it, and repeats this until it answers. Yields the parts of all
 * its answers except `finish` and `usage`, which are in the outcome.
 * @throws ModelFailed; the reason of an aborted `signal`.
 */
export async function* runAgent(
  { application, request, tools, context, work, maxSteps = MAX_STEPS, onUnfinished }: AgentTask,
  signal: AbortSignal,
  ports: AgentPorts,
): AsyncGenerator<AgentPart, AgentOutcome> {
  requireOwnNames(request.tools, tools);
  const asker = { ...application, keyId: context.keyId };
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const definitions = [...tools.map(definitionOf), ...request.tools];
  const untilMs = ports.clock.now() + TOOLS_TIMEOUT_MS;
  const maxLength = Math.max(
    MIN_RESULT_LENGTH,
    Math.min(MAX_RESULT_LENGTH, Math.floor(application.config.model.contextWindow / 4)),
  );
  const steps: ChatMessage[] = [];
  const usages: Usage[] = [];
  const files: AnswerFile[] = [];
  const ids = new CallIds({ taken: callIdsOf(request.messages) });
  let hasText = false;
  /** Of the step that is under way. */
  let unread: (() => Usage) | null = null;
  let isFinished = false;
  try {
    for (let step = 1; ; step++) {
      const isLast = tools.length > 0 && (step >= Math.min(maxSteps, MAX_STEPS) || ports.clock.now() >= untilMs);
      const messages = withSoundArguments([...request.messages, ...steps]);
      const reader = new StepReader(byName, request.tools, ids);
      const asked = { ...request, messages, tools: definitions, toolChoice: choiceOf(request, step, isLast) };
      for await (const part of askModels(
        { ...asker, ...(work && { work: stepOf(work, step) }) },
        asked,
        signal,
        ports,
      )) {
        if (part.kind !== 'retry') unread ??= () => reader.usageFor(messages);
        if (part.kind === 'text' && part.text !== '' && reader.text === '' && hasText)
          yield { kind: 'text', text: STEP_SEPARATOR };
        yield* reader.read(part);
      }
      yield* reader.end();
      hasText ||= reader.text !== '';
      usages.push(reader.usageFor(messages));
      unread = null;
      const { own, client, thought } = reader;
      const outcome = (finishReason: FinishReason): AgentOutcome => {
        isFinished = true;
        const left = files.length > 0 && { files };
        return { steps, answer: reader.answer(client), finishReason, ...left, usage: sumUsage(usages) };
      };
      if (own.length === 0) return outcome(reader.finishReason);
      if (isLast) {
        if (!hasText)
          throw new ModelFailed('tool_error', 'The model called tools again and again, and gave no answer.');
        return outcome('stop');
      }
      signal.throwIfAborted();
      yield { kind: 'agent_thought', step, thought, tools: own.map((call) => call.function!.name) };
      const results = new Map<string, string>();
      for await (const finished of runTools(
        own,
        byName,
        { ...context, messages },
        { untilMs, maxLength },
        signal,
        ports,
      )) {
        results.set(finished.call.id, finished.text);
        yield { kind: 'tool_call_finished', finished };
        files.push(...finished.files);
        if (finished.files.length > 0) yield { kind: 'files', files: finished.files };
      }
      // Of a step that calls tools of the client as well, the text goes with the answer.
      const content = client.length > 0 || reader.text === '' ? null : reader.text;
      steps.push(
        { role: 'assistant', content, tool_calls: own, ...reader.reasoned },
        ...own.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: results.get(id)! }) as const),
      );
      if (client.length > 0) return outcome('tool_calls');
    }
  } finally {
    const spent = unread === null ? usages : [...usages, unread()];
    if (!isFinished && spent.length > 0) onUnfinished?.(sumUsage(spent));
  }
}

/** Between the texts of two steps, in streams and in histories alike. */
export const STEP_SEPARATOR = '\n\n';

function stepOf(work: AskedWork, step: number): AskedWork {
  return work.key === undefined ? work : { ...work, key: `${work.key}:${step}` };
}

/** A tool that is forced, or required, is so for the first step: else it would be called for ever. */
function choiceOf({ toolChoice }: ModelRequest, step: number, isLast: boolean): ModelRequest['toolChoice'] {
  if (isLast) return 'none';
  if (step === 1) return toolChoice;
  return toolChoice === 'none' ? 'none' : null;
}

function definitionOf({ name, description, parameters }: Tool): ToolDefinition {
  return { type: 'function', function: { name, description, parameters } };
}

const nameOf = (tool: ToolDefinition): string => (tool.type === 'function' ? tool.function.name : tool.custom.name);

/** @throws ModelFailed when a tool of the client has the name of one of the application's. */
function requireOwnNames(ofClient: readonly ToolDefinition[], tools: readonly Tool[]): void {
  const taken = ofClient.map(nameOf).find((name) => tools.some((tool) => tool.name === name));
  if (taken !== undefined)
    throw new ModelFailed(
      'invalid_request',
      `tools: ${taken} is the name of a tool of the application. Give yours another one.`,
    );
}

interface ReadCall {
  readonly id: string;
  /** False: the client's. */
  readonly isOwn: boolean;
  /** Without arguments so far. */
  isEmpty: boolean;
}

/** A part with the model whose opaque members it has. */
function withModelOf({ model }: Extract<AnswerPart, { kind: 'tool_calls' }>, read: AgentPart): AgentPart {
  return read.kind === 'tool_calls' && model !== undefined ? { ...read, model } : read;
}

/** Parts of one answer of the model: calls of the application's tools are kept from the client, whose own are passed on. */
class StepReader {
  readonly #all = new Answer();
  readonly #numbers = new CallNumbers();
  /** By the number of the call. */
  readonly #calls = new Map<number, ReadCall>();
  /** Parts of a call that arrived before its name. */
  readonly #nameless = new Map<number, ToolCallDelta[]>();
  readonly #clientNumbers = new CallNumbers();
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #clientNames: ReadonlySet<string>;
  readonly #ids: CallIds;

  constructor(tools: ReadonlyMap<string, Tool>, ofClient: readonly ToolDefinition[], ids: CallIds) {
    this.#tools = tools;
    this.#clientNames = new Set(ofClient.map(nameOf));
    this.#ids = ids;
  }

  *read(part: AnswerPart): Generator<AgentPart> {
    if (part.kind !== 'tool_calls') {
      this.#all.add(part);
      const isShown = part.kind === 'reasoning' ? part.text !== '' : part.kind !== 'finish' && part.kind !== 'usage';
      if (isShown) yield part;
      return;
    }
    const calls = part.calls.map((call) => this.#numbers.renumber(call));
    this.#all.add({ ...part, calls });
    for (const call of calls) for (const read of this.#readCall(call)) yield withModelOf(part, read);
  }

  /**
   * The last parts, when the model has ended.
   * @throws ModelFailed for a call without any way to answer it.
   */
  *end(): Generator<AgentPart> {
    if (this.#nameless.size > 0)
      throw new ModelFailed('provider_error', 'The model provider sent a tool call without a name.');
    for (const [index, { isOwn, isEmpty }] of this.#calls) {
      if (!isEmpty) continue;
      // Clients parse them, as models do that get them back.
      const empty = { index, function: { arguments: '{}' } };
      this.#all.add({ kind: 'tool_calls', calls: [empty] });
      if (!isOwn) yield this.#clientPart(empty);
    }
  }

  *#readCall(delta: ToolCallDelta): Generator<AgentPart> {
    const { index } = delta;
    const known = this.#calls.get(index);
    if (known !== undefined) return yield* this.#pass(delta, known);
    const name = delta.function?.name ?? delta.custom?.name;
    const earlier = this.#nameless.get(index) ?? [];
    if (name === undefined) {
      this.#nameless.set(index, [...earlier, delta]);
      return;
    }
    this.#nameless.delete(index);
    const isOwn = this.#tools.size > 0 && delta.custom === undefined && !this.#clientNames.has(name);
    const id = this.#ids.take(delta.id ?? earlier.find((each) => each.id)?.id);
    const type = delta.custom === undefined ? 'function' : 'custom';
    const call = { id, isOwn, isEmpty: type === 'function' };
    this.#calls.set(index, call);
    if (isOwn) yield { kind: 'tool_call_started', callId: id, name };
    else {
      const named = type === 'custom' ? { custom: { name } } : { function: { name } };
      yield this.#clientPart({ index, id, type, ...named });
    }
    for (const each of [...earlier, delta]) yield* this.#pass(each, call);
  }

  /** The rest of a call behind its id and name, which come once. */
  *#pass({ index, function: called, custom, opaque }: ToolCallDelta, call: ReadCall): Generator<AgentPart> {
    const { id, isOwn } = call;
    if (opaque && !isOwn) yield this.#clientPart({ index, opaque });
    if (called?.arguments) {
      call.isEmpty &&= called.arguments.trim() === '';
      yield isOwn
        ? { kind: 'tool_call_delta', callId: id, argumentsDelta: called.arguments }
        : this.#clientPart({ index, function: { arguments: called.arguments } });
    } else if (custom?.input) yield this.#clientPart({ index, custom: { input: custom.input } });
  }

  #clientPart(delta: ToolCallDelta): AgentPart {
    return { kind: 'tool_calls', calls: [this.#clientNumbers.renumber(delta)] };
  }

  get text(): string {
    return this.#all.text;
  }

  /** The model's text in addition to its calls. */
  get thought(): string {
    return [this.#all.reasoning, this.#all.text].filter((text) => text !== '').join('\n');
  }

  get finishReason(): FinishReason {
    const reason = this.#all.finishReason ?? 'stop';
    // Some servers end an answer with calls as any other.
    return reason === 'stop' && this.#calls.size > 0 ? 'tool_calls' : reason;
  }

  get own(): readonly ToolCall[] {
    return this.#callsWhere((call) => call.isOwn);
  }

  get client(): readonly ToolCall[] {
    return this.#callsWhere((call) => !call.isOwn);
  }

  #callsWhere(isWanted: (call: ReadCall) => boolean): readonly ToolCall[] {
    return this.#all.toolCalls.flatMap((call, index) => {
      const read = this.#calls.get(index);
      return read && isWanted(read) ? [{ ...call, id: read.id }] : [];
    });
  }

  get reasoned() {
    return this.#all.reasoned;
  }

  usageFor(messages: readonly ChatMessage[]): Usage {
    return this.#all.usageFor(messages);
  }

  answer(calls: readonly ToolCall[]): AssistantMessage {
    const { tool_calls: _, content, ...message } = this.#all.message;
    if (calls.length > 0) return { ...message, content: content === '' ? null : content, tool_calls: calls };
    // A model that only called tools of the application has said nothing.
    return { ...message, content: content ?? (message.refusal ? null : '') };
  }
}
