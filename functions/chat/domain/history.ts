import type { AssistantMessage } from './answer.ts';
import type { AnswerFile } from './answer-files.ts';
import type { FinishReason, Usage } from './chat-model.ts';
import { ModelFailed } from './chat-model.ts';
import type { ChatMessage } from './messages.ts';
import { pairedCalls } from './paired-calls.ts';
import type { RetrievedKnowledge } from './retrieve-knowledge.ts';
import { messageTokens } from './tokens.ts';

/** A run of a workflow that had not ended with its turn, and the conversation variables as it had left them until then. */
export interface UnendedRun {
  readonly runId: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** One request of a session, and its answer. */
export interface Turn {
  /** In the order of time; also the id of the completion. */
  readonly turnId: string;
  readonly createdAt: string;
  /** The turn that it continues; absent: the one before it. */
  readonly previousTurnId?: string | undefined;
  /** True of an answer that a workflow has given after the end of `previousTurnId`, as after a decision of a person. */
  readonly isLater?: true | undefined;
  /** Messages that the client added: messages of users and results of tools. */
  readonly input: readonly ChatMessage[];
  /** Calls of the application's tools on the way to the answer, each followed by its results. */
  readonly steps: readonly ChatMessage[];
  readonly answer: AssistantMessage;
  /** Knowledge retrieved before the model was asked; absent without knowledge bases. */
  readonly retrieved?: RetrievedKnowledge;
  /** Files that programs wrote; absent: none. */
  readonly files?: readonly AnswerFile[] | undefined;
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  /** Of a workflow: its conversation variables after this turn. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** Counts the turns of a session in the order in which its workflow answered them, which may differ from that of their ids. */
  readonly variablesVersion?: number | undefined;
  /** Runs of this turn and of earlier ones that may still change them. */
  readonly unendedRuns?: readonly UnendedRun[] | undefined;
}

const isSystem = ({ role }: ChatMessage): boolean => role === 'system' || role === 'developer';

/**
 * The messages of a request that are new to its session. Clients resend what they know of a conversation: where a history
 * is stored, only what follows the last answer counts.
 * @throws ModelFailed when nothing follows it.
 */
export function newMessages(history: readonly Turn[], sent: readonly ChatMessage[]): readonly ChatMessage[] {
  const talk = sent.filter((message) => !isSystem(message));
  const lastAnswer = talk.findLastIndex(({ role }) => role === 'assistant');
  if (lastAnswer === talk.length - 1)
    throw new ModelFailed(
      'invalid_request',
      'messages: with X-Session-Id the last one must be of the role user or tool; the history is stored.',
    );
  if (history.length === 0) return talk;
  const added = talk.slice(lastAnswer + 1);
  // Results of calls that the stored history does not have come with their calls.
  const known = new Set(history.flatMap(({ answer }) => answer.tool_calls?.map(({ id }) => id) ?? []));
  const isKnown = added.every((message) => message.role !== 'tool' || known.has(message.tool_call_id));
  return isKnown ? added : talk.slice(Math.max(0, lastAnswer));
}

/**
 * The turns that lead to one of them, with their later answers, oldest first: a history may branch if each request names the answer it
 * continues.
 * @returns null if the turn does not exist.
 */
export function turnsUntil<T extends Turn>(history: readonly T[], turnId: string): readonly T[] | null {
  const byId = new Map(history.map((turn) => [turn.turnId, turn]));
  const line: T[] = [];
  for (let id: string | undefined = turnId; id !== undefined; id = byId.get(id)?.previousTurnId) {
    const turn = byId.get(id);
    if (turn === undefined || line.includes(turn)) break;
    line.unshift(turn);
  }
  if (line.length === 0) return null;
  const ids = line.map((turn) => turn.turnId);
  return history.filter((turn) => line.includes(turn) || (turn.isLater && ids.includes(turn.previousTurnId ?? '')));
}

export interface PromptOptions {
  readonly systemPrompt: string | null;
  readonly history: readonly Turn[];
  /** Tokens that the history may take. */
  readonly historyTokens: number;
}

/** The prompt for the model: the application's prompt, the client's own, the newest turns that fit, and the new messages. */
export function promptOf(
  sent: readonly ChatMessage[],
  added: readonly ChatMessage[],
  { systemPrompt, history, historyTokens }: PromptOptions,
): readonly ChatMessage[] {
  const prompts = sent.filter(isSystem);
  return [
    ...(systemPrompt ? [{ role: 'system', content: systemPrompt } as const] : []),
    ...prompts,
    ...pairedCalls([...newestTurns(history, historyTokens).flatMap(messagesOf), ...added]),
  ];
}

const messagesOf = ({ input, steps, answer }: Turn): readonly ChatMessage[] => [...input, ...steps, answer];

/** @param history oldest first. */
function newestTurns(history: readonly Turn[], maxTokens: number): readonly Turn[] {
  let tokens = 0;
  let first = history.length;
  while (first > 0) {
    tokens += messagesOf(history[first - 1]!).reduce((sum, message) => sum + messageTokens(message), 0);
    if (tokens > maxTokens) break;
    first -= 1;
  }
  return history.slice(first);
}
