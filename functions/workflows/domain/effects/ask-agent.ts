import { Answer } from '../../../chat/domain/answer.ts';
import type { AnswerFile } from '../../../chat/domain/answer-files.ts';
import { type AskedWork, ModelFailed, type ModelRequest } from '../../../chat/domain/chat-model.ts';
import type { ChatMessage } from '../../../chat/domain/messages.ts';
import { withKnowledge } from '../../../chat/domain/retrieve-knowledge.ts';
import { MAX_STEPS, runAgent } from '../../../chat/domain/tools/agent.ts';
import { TOOLS_WITHOUT_APPLICATION } from '../../../chat/domain/tools/tool-config.ts';
import { isToolPart, toolEvent } from '../../../chat/domain/tools/tool-events.ts';
import type { KnowledgeHit } from '../../../knowledge/domain/knowledge-search.ts';
import { listField, numberField, textField } from '../graph/fields.ts';
import { leftFile } from '../graph/files.ts';
import { isObject, type JsonObject } from '../graph/graph.ts';
import { withoutData } from '../graph/value-texts.ts';
import { effectKey, type NodeCall, NodeFailed, type NodeResult, type NodeSurroundings } from '../run/node-effects.ts';
import { chooseTools } from './choose-tools.ts';
import type { AgentModel, EffectPorts } from './effect-ports.ts';
import { jsonIn } from './json-in.ts';
import { keyIdOf } from './key-id.ts';
import { ReactModels } from './react-models.ts';
import { type Separated, separated, ThoughtReader } from './thoughts.ts';
import { userContent } from './user-content.ts';

/** Asks the model of an application, runs the tools that it calls, and passes its text on as it comes. */
export async function askAgent(
  call: NodeCall,
  { signal, text, progress }: NodeSurroundings,
  ports: Pick<EffectPorts, 'ask' | 'agentModels' | 'tools' | 'clock' | 'onToolFault' | 'templates'>,
): Promise<NodeResult> {
  const { config } = call;
  const model = await modelOf(call, ports);
  const passages = listField(config, 'passages').filter(isObject).map(toHit);
  const conversation = await conversationOf(call, model, signal, ports);
  const messages = withKnowledge(conversation, { hits: passages });
  const answer = new Answer();
  const reader = config.reasoning_format === 'separated' ? new ThoughtReader() : null;
  let written = '';
  let thought = '';
  const write = (piece: Separated): void => {
    thought += piece.thought;
    written += piece.text;
    if (piece.text !== '') text(piece.text);
  };
  const tools = await chooseTools(listField(config, 'tools').map(String), model, signal, ports);
  const { workspaceId, applicationId } = model;
  const schema = isObject(config.response_schema) ? config.response_schema : null;
  const responseFormat = schema && ({ type: 'json_schema', json_schema: { name: 'answer', schema } } as const);
  const task = {
    application: model,
    work: workOf(call),
    request: {
      ...requestOf(messages, call, model),
      responseFormat,
      ...(config.passages !== undefined && { knowledge: passages }),
    },
    tools,
    context: { workspaceId, applicationId, keyId: keyIdOf(call), requestKey: effectKey(call) },
    maxSteps: numberField(config, 'max_rounds', MAX_STEPS),
  };
  let usage = answer.usageFor(messages);
  let finishReason: string;
  let files: readonly AnswerFile[];
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
    ({ usage, finishReason, files = [] } = next.value);
  } catch (error) {
    throw toNodeFailed(error, answer, messages);
  }
  const cost = { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens };
  const structured = schema ? jsonIn(separated(answer.text).text) : null;
  if (structured === undefined)
    throw new NodeFailed('invalid_output', 'The model answered without JSON, which config.response_schema asks for.', {
      isPassing: true,
      cost,
    });
  if (thought !== '') progress('agent_thought', { step: 1, thought });
  return {
    outputs: {
      text: written,
      reasoning: thought.trimEnd(),
      ...(schema && { structured_output: structured }),
      finish_reason: finishReason,
      ...(files.length > 0 && { files: files.map(leftFile) }),
      usage: {
        prompt_tokens: usage.prompt_tokens,
        completion_tokens: usage.completion_tokens,
        total_tokens: usage.total_tokens,
      },
    },
    cost,
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
    text,
  };
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
export function toNodeFailed(error: unknown, answer: Answer, messages: readonly ChatMessage[] = []): unknown {
  if (!(error instanceof ModelFailed)) return error;
  const { code, message, isPassing } = error;
  if (answer.text === '') return new NodeFailed(code, message, { isPassing, cause: error });
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = answer.usageFor(messages);
  return new NodeFailed(code, message, { cost: { promptTokens, completionTokens }, cause: error });
}
