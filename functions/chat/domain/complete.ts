import { type UsageRecorder, usageEvent } from '../../accounts/domain/usage.ts';
import type { KnowledgeSearch } from '../../knowledge/domain/knowledge-search.ts';
import { accessTokenIdOf } from '../../shared/principal.ts';
import type { AssistantMessage } from './answer.ts';
import { type Application, answersByWorkflow } from './application.ts';
import { ModelFailed, type ModelRequest, type Usage } from './chat-model.ts';
import { completeByWorkflow, type EventPart, type WorkflowAnswers } from './complete-by-workflow.ts';
import type { CompletionCommand } from './completion-command.ts';
import { type ConversationLog, previousOf, type RecordedTurn } from './conversations.ts';
import { newMessages, promptOf } from './history.ts';
import { type ChatMessage, imageAddresses, textOf, withInlineImages } from './messages.ts';
import { recordTurn } from './record-turn.ts';
import { type RetrievedKnowledge, retrieveKnowledge, withKnowledge } from './retrieve-knowledge.ts';
import type { SessionTurns } from './session-turns.ts';
import { leastTokens, messageTokens } from './tokens.ts';
import { type AgentOutcome, type AgentPart, type AgentPorts, runAgent, STEP_SEPARATOR } from './tools/agent.ts';
import type { Tool } from './tools/tool.ts';

/** Images of one request that are fetched from addresses. */
const MAX_IMAGES = 10;
/** Kept free for an answer whose length is not bounded. */
const ANSWER_TOKENS = 1_024;

/** The tools of an application, ready to run. */
export interface ApplicationTools {
  /** @throws ModelFailed when one cannot be had. */
  of(application: Application, signal: AbortSignal): Promise<readonly Tool[]>;
}

export interface CompletePorts extends AgentPorts {
  readonly conversations: Pick<ConversationLog, 'read' | 'append' | 'hold'>;
  readonly usage: UsageRecorder;
  readonly images: (url: string, signal: AbortSignal) => Promise<string>;
  readonly tools: ApplicationTools;
  readonly knowledge: KnowledgeSearch;
  readonly workflows: WorkflowAnswers;
  readonly sessionTurns: SessionTurns;
  /** Called with the time from the request to the first text of the answer. */
  readonly onFirstText?: (ms: number) => void;
}

/** In the order of their appearance. */
export type CompletionPart = AgentPart | RetrievedKnowledge | EventPart;

/**
 * The answer of an application, in parts. With a session its turn is stored, whole, before the answer's last parts: a
 * client that gets them can rely on it, and one that does not has left no half of a turn.
 * @throws ModelFailed; what `signal` was aborted with.
 */
export async function* complete(
  command: CompletionCommand,
  signal: AbortSignal,
  ports: CompletePorts,
): AsyncGenerator<CompletionPart> {
  const startedMs = ports.clock.now();
  let hasText = false;
  for await (const part of keptAnswer(command, signal, ports)) {
    if (part.kind === 'text' && !hasText) {
      hasText = true;
      ports.onFirstText?.(ports.clock.now() - startedMs);
    }
    yield part;
  }
}

async function* keptAnswer(
  command: CompletionCommand,
  signal: AbortSignal,
  ports: CompletePorts,
): AsyncGenerator<CompletionPart> {
  const { session } = command;
  if (!session?.key) return yield* answer(command, signal, ports);
  const letGo = ports.conversations.hold(session);
  let isRecorded = false;
  try {
    for await (const part of answer(command, signal, ports)) {
      // The turn is stored before it.
      isRecorded ||= part.kind === 'finish';
      yield part;
    }
  } finally {
    await letGo(isRecorded);
  }
}

async function* answer(
  command: CompletionCommand,
  signal: AbortSignal,
  ports: CompletePorts,
): AsyncGenerator<CompletionPart> {
  const { id, application, request, session, keyId, requestKey, background } = command;
  const { config } = application;
  if (answersByWorkflow(application)) return yield* completeByWorkflow(command, signal, ports);
  const added = session ? newMessages(session.history, request.messages) : request.messages;
  const maxTokens = lesser(request.maxTokens, config.maxTokens);
  const prompt = promptOf(session ? request.messages : [], added, {
    systemPrompt: config.systemPrompt,
    history: session?.history ?? [],
    historyTokens: Math.min(config.historyTokens, room(config.model.contextWindow, added, maxTokens)),
  });
  requireFitting(prompt, config.model.contextWindow);
  requireFewImages(prompt);
  const { workspaceId, applicationId } = application;
  const [withImages, tools, retrieved] = await Promise.all([
    withInlineImages(prompt, (url) => ports.images(url, signal)),
    config.tools.length === 0 ? [] : ports.tools.of(application, signal),
    config.knowledgeBases.length === 0
      ? null
      : retrieveKnowledge(
          {
            workspaceId,
            baseIds: config.knowledgeBases,
            messages: prompt,
            contextWindow: config.model.contextWindow,
            signal,
          },
          ports.knowledge,
        ),
  ]);
  const messages = retrieved === null ? withImages : withKnowledge(withImages, retrieved);
  const task = {
    application,
    // Without a record of the turn, a repetition is another answer.
    work: {
      reference: id,
      accessTokenId: accessTokenIdOf(command.caller),
      ...(session?.key && { key: requestKey }),
    },
    request: {
      ...request,
      messages,
      maxTokens,
      ...defaults(request, application),
      ...(retrieved && { knowledge: retrieved }),
    },
    tools,
    context: { workspaceId, applicationId, keyId, requestKey },
  };
  const countedNow = (usage: Usage) => {
    command.onUsage?.(usage);
    return usageEvent(
      { workspaceId, applicationId, keyId, accessTokenId: accessTokenIdOf(command.caller), service: 'chat' },
      { tokensIn: usage.prompt_tokens, tokensOut: usage.completion_tokens },
      ports.clock.now(),
    );
  };
  let unfinished: Usage | null = null;
  const onUnfinished = (usage: Usage) => {
    unfinished = usage;
  };
  let outcome: AgentOutcome;
  try {
    outcome = yield* behind(retrieved, runAgent({ ...task, onUnfinished }, signal, ports));
    unfinished = outcome.usage;
    signal.throwIfAborted();
    unfinished = null;
  } finally {
    // What the model has streamed is paid for, also where the client has left.
    if (unfinished !== null) {
      const recording = ports.usage.record(countedNow(unfinished));
      background(recording);
      await recording.catch(() => undefined);
    }
  }
  const { usage, ...answered } = outcome;
  const nowMs = ports.clock.now();
  const counted = countedNow(usage);
  const turn = {
    turnId: id,
    createdAt: new Date(nowMs).toISOString(),
    input: added,
    usage,
    ...previousOf(session),
    ...(retrieved && { retrieved }),
    ...answered,
  };
  await recordTurn(session, turn, counted, background, ports);
  yield { kind: 'finish', reason: answered.finishReason };
  yield { kind: 'usage', usage };
}

/** The parts, preceded by the retrieved ones: until the model has given its first part, its failure is the whole answer. */
async function* behind<Outcome>(
  retrieved: RetrievedKnowledge | null,
  parts: AsyncGenerator<AgentPart, Outcome>,
): AsyncGenerator<CompletionPart, Outcome> {
  const first = await parts.next();
  if (retrieved !== null) yield retrieved;
  if (first.done) return first.value;
  try {
    yield first.value;
    return yield* parts;
  } finally {
    await parts.return(undefined as never);
  }
}

/** The parts of an answer that was recorded by an earlier request with the same key. */
export async function* recordedAnswer({
  steps,
  answer,
  retrieved,
  files = [],
  finishReason,
  usage,
}: RecordedTurn): AsyncGenerator<CompletionPart> {
  const texts = [...steps, answer].flatMap((message) => (message.role === 'assistant' ? [textOf(message)] : []));
  const thoughts = [...steps, answer].flatMap((message) =>
    message.role === 'assistant' && message.reasoning_content ? [message.reasoning_content] : [],
  );
  if (retrieved !== undefined) yield retrieved;
  if (files.length > 0) yield { kind: 'files', files };
  if (thoughts.length > 0) yield { kind: 'reasoning', text: thoughts.join('') };
  const text = texts.filter((each) => each !== '').join(STEP_SEPARATOR);
  if (text !== '') yield { kind: 'text', text };
  if (answer.opaque) yield { kind: 'opaque', members: answer.opaque, ...originOf(answer) };
  if (answer.refusal) yield { kind: 'refusal', text: answer.refusal };
  if (answer.tool_calls)
    yield {
      kind: 'tool_calls',
      calls: answer.tool_calls.map((call, index) => ({ index, ...call }) as never),
      ...originOf(answer),
    };
  yield { kind: 'finish', reason: finishReason };
  yield { kind: 'usage', usage };
}

function originOf({ reasoning_origin: origin }: AssistantMessage): { model?: string } {
  return origin ? { model: origin.model } : {};
}

function defaults({ temperature, topP }: ModelRequest, { config }: Application) {
  return { temperature: temperature ?? config.temperature, topP: topP ?? config.topP };
}

function lesser(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

function room(contextWindow: number, added: readonly ChatMessage[], maxTokens: number | null): number {
  const taken = added.reduce((sum, message) => sum + messageTokens(message), 0);
  return Math.max(0, contextWindow - taken - (maxTokens ?? ANSWER_TOKENS));
}

function requireFitting(messages: readonly ChatMessage[], contextWindow: number): void {
  const tokens = leastTokens(messages);
  if (tokens > contextWindow)
    throw new ModelFailed(
      'context_overflow',
      `The conversation has more than ${tokens} tokens, and the model’s context window holds ${contextWindow}. Send less, or set config.model.context_window.`,
    );
}

function requireFewImages(messages: readonly ChatMessage[]): void {
  if (imageAddresses(messages).length > MAX_IMAGES)
    throw new ModelFailed(
      'invalid_request',
      `messages: at most ${MAX_IMAGES} images by address; send others as data: URLs.`,
    );
}
