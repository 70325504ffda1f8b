import { usageEvent } from '../../accounts/domain/usage.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { accessTokenIdOf } from '../../shared/principal.ts';
import { Answer } from './answer.ts';
import type { AnswerFile, FilesPart } from './answer-files.ts';
import { ModelFailed, type ModelPart, type Usage } from './chat-model.ts';
import type { CompletionCommand, Origin } from './completion-command.ts';
import { type AnsweredSession, type Caller, type ConversationLog, previousOf } from './conversations.ts';
import { newMessages, type Turn, type UnendedRun } from './history.ts';
import { type ChatMessage, type ContentPart, textOf } from './messages.ts';
import { type RecordPorts, recordTurn } from './record-turn.ts';
import type { SessionTurns } from './session-turns.ts';

/** An event of a workflow's run. */
export interface EventPart {
  readonly kind: 'event';
  readonly type: string;
  readonly payload: object;
}

/** The question for a workflow. */
export interface WorkflowQuestion {
  readonly workspaceId: string;
  readonly workflowId: string;
  /** Whose model answers where an agent names none; null: the embedded one. */
  readonly applicationId: string | null;
  readonly sessionId: string | null;
  readonly caller: Caller;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** The text of the newest message of the user, and the images and files that it carries. */
  readonly query: string;
  readonly files: readonly string[];
  readonly history: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  /** Conversation variables as the turn before left them, and the runs that may have changed them since. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly unendedRuns: readonly UnendedRun[];
  /**
   * Waits until the earlier messages of the session are answered. Called at most once, if the workflow has conversation variables.
   * Null: the caller keeps the messages in order itself, or nothing is kept.
   * @throws ModelFailed 'session_busy'; the reason of an aborted signal.
   */
  readonly takeTurn: (() => Promise<SessionPart>) | null;
  /** Id of the turn. */
  readonly turnId: string;
  /** Whether later answers of the run are added to the history. */
  readonly isKept: boolean;
  /** Where the message came from; absent: from no channel. */
  readonly origin?: Origin | undefined;
  /** Epoch time at which the function ends for certain. */
  readonly deadlineMs: number;
}

/** The members of a question that come from its session. */
export type SessionPart = Pick<WorkflowQuestion, 'history' | 'variables' | 'unendedRuns'>;

/** Workflows that answer messages. */
export interface WorkflowAnswers {
  /**
   * The text and the events of a run, as they arrive; finally its usage, and its conversation variables. Aborting `signal` cancels the
   * run.
   * @throws ModelFailed; the reason of an aborted `signal`.
   */
  answer(question: WorkflowQuestion, signal: AbortSignal): AsyncGenerator<AnswerPart, WorkflowAnswer>;
}

type AnswerPart = EventPart | Extract<ModelPart, { kind: 'text' }>;

export interface WorkflowAnswer {
  readonly usage: Usage;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly unendedRuns: readonly UnendedRun[];
  /**
   * Streams the answers until then of a run that has not ended; the history gets them without it. Null: it has ended.
   * @throws ModelFailed; the reason of an aborted signal, which cancels nothing.
   */
  readonly later: ((open: { readonly untilMs: number }) => AsyncGenerator<AnswerPart>) | null;
}

interface Ports extends RecordPorts {
  readonly conversations: Pick<ConversationLog, 'append' | 'read'>;
  readonly workflows: WorkflowAnswers;
  readonly sessionTurns: SessionTurns;
  readonly clock: Clock;
}

/** The answer of a workflow application: its messages are routed into the published graph. Its turn is stored like any other. */
export async function* completeByWorkflow(
  command: CompletionCommand,
  signal: AbortSignal,
  ports: Ports,
): AsyncGenerator<EventPart | ModelPart | FilesPart> {
  const turn = new SessionTurn(command, signal, ports);
  let answered: WorkflowAnswer;
  try {
    answered = yield* answerInTurn(command, turn, signal, ports);
  } finally {
    await turn.end();
  }
  const { openMs = 0 } = command;
  const { later, usage } = answered;
  if (later && openMs > 0) yield* withFiles(later({ untilMs: ports.clock.now() + openMs }));
  yield { kind: 'usage', usage };
}

/** The parts of an answer, each file of its nodes also as that of a message. */
async function* withFiles<Result>(
  parts: AsyncGenerator<AnswerPart, Result>,
): AsyncGenerator<AnswerPart | FilesPart, Result> {
  let next = await parts.next();
  for (; !next.done; next = await parts.next()) {
    yield next.value;
    const file = next.value.kind === 'event' ? fileOf(next.value) : null;
    if (file !== null) yield { kind: 'files', files: [file] };
  }
  return next.value;
}

/** The turn of a message among those of its session. */
class SessionTurn {
  readonly #command: CompletionCommand;
  readonly #signal: AbortSignal;
  readonly #ports: Ports;
  #session: AnsweredSession | null;
  #end: () => Promise<void> = async () => undefined;

  constructor(command: CompletionCommand, signal: AbortSignal, ports: Ports) {
    this.#command = command;
    this.#signal = signal;
    this.#ports = ports;
    this.#session = command.session;
  }

  /** As it was read last. */
  get session(): AnsweredSession | null {
    return this.#session;
  }

  get part(): SessionPart & { readonly version: number } {
    const latest = latestTurn(this.#session?.history ?? []);
    const { variables = {}, unendedRuns = [], variablesVersion = 0 } = latest ?? {};
    return { history: this.#history(), variables, unendedRuns, version: variablesVersion };
  }

  /** Null: messages of channels come in their order, and one that names the turn it continues waits for no other. */
  get take(): WorkflowQuestion['takeTurn'] {
    const session = this.#session;
    if (session === null || session.isReadOnly || session.dataSettings.retentionDays === 0) return null;
    if (this.#command.origin !== undefined || session.previousTurnId !== undefined) return null;
    return async () => {
      const { sessionTurns, conversations } = this.#ports;
      this.#end = await sessionTurns.takeTurn(session, this.#signal);
      const { recorded: _, ...state } = await conversations.read(session, null);
      this.#session = { ...session, ...state };
      return this.part;
    };
  }

  end(): Promise<void> {
    return this.#end();
  }

  #history(): WorkflowQuestion['history'] {
    const { messages } = this.#command.request;
    const earlier = this.#session
      ? this.#session.history.flatMap(({ input, answer }) => [...input, answer])
      : messages.slice(
          0,
          messages.findLastIndex(({ role }) => role === 'user'),
        );
    return earlier.flatMap(toHistory);
  }
}

/** The turn that was answered last; later answers have no variables. */
function latestTurn(history: readonly Turn[]): Turn | undefined {
  return history
    .filter(({ isLater }) => !isLater)
    .reduce<Turn | undefined>(
      (latest, turn) => ((turn.variablesVersion ?? 0) >= (latest?.variablesVersion ?? 0) ? turn : latest),
      undefined,
    );
}

async function* answerInTurn(
  {
    id,
    application,
    request,
    session: asked,
    keyId,
    caller,
    startNodeInputs,
    deadlineMs,
    background,
    onUsage,
    origin,
  }: CompletionCommand,
  taken: SessionTurn,
  signal: AbortSignal,
  ports: Ports,
): AsyncGenerator<EventPart | ModelPart | FilesPart, WorkflowAnswer> {
  const { workflows, clock } = ports;
  const { workspaceId, applicationId, config } = application;
  if (config.workflowId === null)
    throw new ModelFailed('invalid_request', 'The application has no workflow. Set config.workflow_id.');
  const added = asked ? newMessages(asked.history, request.messages) : request.messages;
  const newest = added.findLast(({ role }) => role === 'user');
  const question = {
    workspaceId,
    workflowId: config.workflowId,
    caller,
    deadlineMs,
    // A workflow that is called by its own id has no application.
    applicationId: applicationId === '' ? null : applicationId,
    sessionId: asked?.sessionId ?? null,
    inputs: startNodeInputs,
    query: newest ? textOf(newest) : '',
    files: newest ? filesOf(newest) : [],
    ...taken.part,
    takeTurn: taken.take,
    turnId: id,
    isKept: asked !== null && !asked.isReadOnly,
    origin,
  };
  const answer = new Answer();
  const files: AnswerFile[] = [];
  const parts = withFiles(workflows.answer(question, signal));
  let next = await parts.next();
  for (; !next.done; next = await parts.next()) {
    if (next.value.kind === 'text') answer.add(next.value);
    if (next.value.kind === 'files') files.push(...next.value.files);
    yield next.value;
  }
  const { usage, variables, unendedRuns } = next.value;
  onUsage?.(usage);
  signal.throwIfAborted();
  const nowMs = clock.now();
  const counted = usageEvent(
    {
      workspaceId,
      keyId,
      accessTokenId: accessTokenIdOf(caller),
      service: 'chat',
      applicationId: applicationId === '' ? null : applicationId,
    },
    // Its tokens are counted with the end of the run, which may come after the answer.
    {},
    nowMs,
  );
  const createdAt = new Date(nowMs).toISOString();
  const { session } = taken;
  const answered = { steps: [], answer: answer.message, finishReason: 'stop', usage } as const;
  const turn = {
    turnId: id,
    createdAt,
    input: added,
    ...previousOf(session),
    ...answered,
    ...(files.length > 0 && { files }),
    ...(Object.keys(variables).length > 0 && { variables, variablesVersion: taken.part.version + 1 }),
    ...(unendedRuns.length > 0 && { unendedRuns }),
  };
  await recordTurn(session, turn, counted, background, ports);
  yield { kind: 'finish', reason: 'stop' };
  return next.value;
}

/** The file of an answer node. */
function fileOf({ type, payload }: EventPart): AnswerFile | null {
  const { url, name, media_type: mediaType, size } = payload as Readonly<Record<string, unknown>>;
  if (type !== 'message_file' || typeof url !== 'string') return null;
  return { url, name: String(name), mediaType: String(mediaType), size: typeof size === 'number' ? size : null };
}

function toHistory(message: ChatMessage): { role: 'user' | 'assistant'; content: string }[] {
  const content = textOf(message);
  if ((message.role !== 'user' && message.role !== 'assistant') || content === '') return [];
  return [{ role: message.role, content }];
}

function filesOf({ content }: ChatMessage): readonly string[] {
  if (!Array.isArray(content)) return [];
  return (content as readonly ContentPart[]).flatMap((part) => {
    if (part.type === 'image_url') return [part.image_url.url];
    return part.type === 'file' ? [part.file.file_data] : [];
  });
}
