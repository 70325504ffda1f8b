import { Answer } from '../../../chat/domain/answer.ts';
import type { AnswerFile } from '../../../chat/domain/answer-files.ts';
import { type AskedWork, ModelFailed, type ModelRequest, type Usage } from '../../../chat/domain/chat-model.ts';
import type { ChatMessage } from '../../../chat/domain/messages.ts';
import { withKnowledge } from '../../../chat/domain/retrieve-knowledge.ts';
import { MAX_STEPS, runAgent } from '../../../chat/domain/tools/agent.ts';
import { TOOLS_WITHOUT_APPLICATION } from '../../../chat/domain/tools/tool-config.ts';
import { isToolPart, toolEvent } from '../../../chat/domain/tools/tool-events.ts';
import type { KnowledgeHit } from '../../../knowledge/domain/knowledge-search.ts';
import { listField, numberField, textField } from '../graph/fields.ts';
import { leftFile } from '../graph/files.ts';
import { isObject, type Json, type JsonObject } from '../graph/graph.ts';
import { checkedSchema } from '../graph/response-schema.ts';
import { withoutData } from '../graph/value-texts.ts';
import { effectKey, type NodeCall, NodeFailed, type NodeResult, type NodeSurroundings } from '../run/node-effects.ts';
import { chooseTools } from './choose-tools.ts';
import type { AgentModel, EffectPorts } from './effect-ports.ts';
import { jsonIn } from './json-in.ts';
import { keyIdOf } from './key-id.ts';
import { ReactModels } from './react-models.ts';
import { filesOf } from './read-files.ts';
import { type Separated, separated, ThoughtReader } from './thoughts.ts';
import { userContent } from './user-content.ts';

/** Answers that a model may give until one fits its schema, the first one included. */
const MAX_ANSWERS = 2;

type Ports = Pick<EffectPorts, 'ask' | 'agentModels' | 'tools' | 'clock' | 'onToolFault' | 'templates' | 'schemas'>;

/**
 * Asks the model of an application, runs the tools that it calls, and passes its text on as it comes. An answer that does not fit its schema
 * is requested once more, with its fault.
 */
export async function askAgent(call: NodeCall, surroundings: NodeSurroundings, ports: Ports): Promise<NodeResult> {
  const { config } = call;
  const { signal, progress } = surroundings;
  const model = await modelOf(call, ports);
  if (model.config.model.provider === 'embedded' && !hasDocuments(call)) throw noModel();
  const passages = listField(config, 'passages').filter(isObject).map(toHit);
  const conversation = await conversationOf(call, model, signal, ports);
  const messages = [...withKnowledge(conversation, { hits: passages })];
  const tools = await chooseTools(listField(config, 'tools').map(String), model, signal, ports);
  const { workspaceId, applicationId } = model;
  const schema = isObject(config.response_schema) ? config.response_schema : null;
  const responseFormat = schema && ({ type: 'json_schema', json_schema: { name: 'answer', schema } } as const);
  let spent = { promptTokens: 0, completionTokens: 0 };
  for (let attempt = 1; ; attempt++) {
    const task = {
      application: model,
      work: workOf(call, attempt === 1 ? '' : `:${attempt}`),
      request: {
        ...requestOf(messages, call, model),
        responseFormat,
        ...(config.passages !== undefined && { knowledge: { query: '', hits: passages } }),
      },
      // A correction has no effects.
      tools: attempt === 1 ? tools : [],
      context: { workspaceId, applicationId, keyId: keyIdOf(call), requestKey: effectKey(call) },
      maxSteps: numberField(config, 'max_rounds', MAX_STEPS),
    };
    const answered = await answeredBy(task, call, surroundings, { ...ports, spent });
    spent = added(spent, answered.usage);
    const { raw, thought } = answered;
    const { value, fault } = schema ? structuredIn(raw, schema, ports) : { value: null, fault: null };
    if (fault === null) {
      if (schema) surroundings.text(answered.text);
      if (thought !== '') progress('agent_thought', { step: 1, thought });
      return { outputs: outputsOf(answered, schema && { structured_output: value }, spent), cost: spent };
    }
    if (attempt === MAX_ANSWERS) throw new NodeFailed('invalid_output', fault, { isPassing: true, cost: spent });
    messages.push(
      { role: 'assistant', content: raw || '(nothing)' },
      { role: 'user', content: `${fault} Answer with the JSON alone, as the schema has it.` },
    );
  }
}

interface Tokens {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

function added({ promptTokens, completionTokens }: Tokens, usage: Usage): Tokens {
  return {
    promptTokens: promptTokens + usage.prompt_tokens,
    completionTokens: completionTokens + usage.completion_tokens,
  };
}

interface Answered {
  /** As the model has written it. */
  readonly raw: string;
  readonly text: string;
  readonly thought: string;
  readonly usage: Usage;
  readonly finishReason: string;
  readonly files: readonly AnswerFile[];
}

/** One answer of a model. Texts that are checked before they count are not passed on. */
async function answeredBy(
  task: Parameters<typeof runAgent>[0],
  { config }: NodeCall,
  { signal, text, progress }: NodeSurroundings,
  ports: Ports & { readonly spent: Tokens },
): Promise<Answered> {
  const answer = new Answer();
  const reader = config.reasoning_format === 'separated' ? new ThoughtReader() : null;
  let written = '';
  let thought = '';
  const write = (piece: Separated): void => {
    thought += piece.thought;
    written += piece.text;
    if (piece.text !== '' && config.response_schema === undefined) text(piece.text);
  };
  try {
    const models = config.strategy === 'react' ? new ReactModels(ports.ask.models) : ports.ask.models;
    const parts = runAgent(task, signal, { ...ports.ask, models, clock: ports.clock, onFault: ports.onToolFault });
    let next = await parts.next();
    for (; !next.done; next = await parts.next()) {
      const part = next.value;
      if (part.kind === 'text') {
        answer.add(part);
        write(reader?.read(part.text) ?? { text: part.text, thought: '' });
      } else if (part.kind === 'reasoning') thought += part.text;
      else if (part.kind === 'retry') {
        const { scope, code, message, attempt, maxAttempts, delayMs } = part;
        progress('retry', { scope, code, message, attempt, max_attempts: maxAttempts, delay_ms: delayMs });
      } else if (isToolPart(part)) progress(part.kind, toolEvent(part, true));
    }
    if (reader) write(reader.end());
    const { usage, finishReason, files = [] } = next.value;
    return { raw: answer.text, text: written, thought: thought.trimEnd(), usage, finishReason, files };
  } catch (error) {
    throw toNodeFailed(error, answer, task.request.messages, ports.spent);
  }
}

/** The value of an answer in JSON, and why it cannot be used. @throws NodeFailed for a schema that is not a schema */
function structuredIn(
  answer: string,
  schema: JsonObject,
  { schemas }: Pick<Ports, 'schemas'>,
): { readonly value: Json; readonly fault: string | null } {
  const value = jsonIn(separated(answer).text);
  if (value === undefined)
    return { value: null, fault: 'The answer is not JSON, which config.response_schema asks for.' };
  try {
    const fault = schemas.faultOf(checkedSchema(schema) as JsonObject, value);
    return { value, fault: fault && `The answer does not fit config.response_schema: ${fault}.` };
  } catch (error) {
    throw new NodeFailed('invalid_schema', `config.response_schema is not a JSON schema: ${(error as Error).message}.`);
  }
}

function outputsOf(
  { text, thought, finishReason, files }: Answered,
  structured: JsonObject | null,
  { promptTokens, completionTokens }: Tokens,
): JsonObject {
  return {
    text,
    reasoning: thought,
    ...structured,
    finish_reason: finishReason,
    ...(files.length > 0 && { files: files.map(leftFile) }),
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  };
}

/** The messages for the model: a history comes before the newest one. */
async function conversationOf(
  { config, context, inputs, run }: NodeCall,
  model: AgentModel,
  signal: AbortSignal,
  { templates }: Pick<EffectPorts, 'templates'>,
): Promise<readonly ChatMessage[]> {
  const turns = numberField(config, 'history_turns', Number.POSITIVE_INFINITY);
  const history = config.with_history === true ? context.history.slice(-2 * turns) : [];
  const given = listField(config, 'messages').filter(isObject);
  if (given.length === 0) {
    const system = textField(config, 'system') || model.config.systemPrompt;
    return [
      ...(system ? [{ role: 'system', content: system } as const] : []),
      ...history,
      { role: 'user', content: userContent(textField(config, 'prompt'), config.files) },
    ];
  }
  const messages: { role: 'system' | 'user' | 'assistant'; content: string }[] = [];
  for (const each of given) {
    const template = textField(each, 'template');
    const caller = { tenant: run.workspaceId, signal };
    const content =
      template === ''
        ? textField(each, 'text')
        : await templates.render(template, withoutData(inputs) as JsonObject, 'jinja2', caller);
    messages.push({ role: textField(each, 'role') as 'system' | 'user' | 'assistant', content });
  }
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const end = last < 0 ? messages.length : last;
  return [
    ...messages.slice(0, end),
    ...history,
    ...messages
      .slice(end)
      .map((message, index) =>
        index === 0 ? { ...message, content: userContent(message.content, config.files) } : message,
      ),
  ] as readonly ChatMessage[];
}

/** One of the documents that a knowledge_search gives out; of anything else, what it has of one. */
function toHit(document: JsonObject): KnowledgeHit {
  const text = textField(document, 'snippet') || textField(document, 'text');
  const source = textField(document, 'source');
  return {
    baseId: '',
    documentId: textField(document, 'id'),
    title: textField(document, 'title'),
    page: null,
    heading: source === '' ? [] : [source],
    score: numberField(document, 'score', 0),
    termShare: 0,
    text,
  };
}

/** The embedded model quotes documents: without any, it has nothing to say. */
function hasDocuments({ config }: NodeCall): boolean {
  return config.passages !== undefined || filesOf(config.files, 'config.files').length > 0;
}

function noModel(): NodeFailed {
  const message =
    'The agent has no model. Set config.application_id to an application with a language model, or connect the application that is chatted with to one.';
  return new NodeFailed('no_model', message);
}

/** The application that a node names; without one, that of the run, with the tools that need no application. */
export async function modelOf(
  { config, run }: NodeCall,
  { agentModels }: Pick<EffectPorts, 'agentModels'>,
): Promise<AgentModel> {
  const named = textField(config, 'application_id');
  if (named !== '') return agentModels.find(run.workspaceId, named);
  const own = await agentModels.find(run.workspaceId, run.trigger.applicationId);
  const { tools } = own.config;
  const added = TOOLS_WITHOUT_APPLICATION.filter(({ name }) => !tools.some((tool) => tool.name === name));
  return { ...own, config: { ...own.config, tools: [...tools, ...added] } };
}

/** A node's answer, as the ledger names it: another attempt is another answer, the same one after a crash is not. */
export function workOf(call: NodeCall, part = ''): AskedWork {
  return { reference: call.run.runId, key: `${effectKey(call)}:${call.attempt}${part}` };
}

export function requestOf(
  messages: readonly ChatMessage[],
  { config }: Pick<NodeCall, 'config'>,
  { config: defaults }: AgentModel,
): ModelRequest {
  return {
    messages,
    temperature: typeof config.temperature === 'number' ? config.temperature : defaults.temperature,
    topP: defaults.topP,
    maxTokens: numberField(config, 'max_tokens', 0) || defaults.maxTokens,
    stop: [],
    tools: [],
    toolChoice: null,
    responseFormat: null,
    more: {},
  };
}

/** @param answer what had come before the failure: it is counted, and clients may have it, so that another attempt would repeat it. */
export function toNodeFailed(
  error: unknown,
  answer: Answer,
  messages: readonly ChatMessage[] = [],
  spent: Tokens = { promptTokens: 0, completionTokens: 0 },
): unknown {
  if (!(error instanceof ModelFailed)) return error;
  const { code, message, isPassing } = error;
  if (answer.text === '') return new NodeFailed(code, message, { isPassing, cost: spent, cause: error });
  return new NodeFailed(code, message, { cost: added(spent, answer.usageFor(messages)), cause: error });
}
