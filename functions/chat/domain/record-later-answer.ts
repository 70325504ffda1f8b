import type { Clock } from '../../shared/ports/clock.ts';
import type { AnswerFile } from './answer-files.ts';
import type { ConversationLog, SessionId } from './conversations.ts';
import type { Turn } from './history.ts';
import { type OpenPorts, openSession } from './open-session.ts';
import { type RecordPorts, recordTurn } from './record-turn.ts';

/** An answer of a workflow that has come after the end of its turn. */
export interface AnswerAfterTurn {
  /** Of two with the same key only the first is recorded. */
  readonly key: string;
  /** The turn that it belongs to. */
  readonly turnId: string;
  readonly text: string;
  readonly files: readonly AnswerFile[];
}

export interface LaterPorts extends OpenPorts, RecordPorts {
  readonly conversations: ConversationLog;
  readonly clock: Clock;
  /** Sorts behind the turns before it. */
  readonly completionId: () => string;
}

/** Adds a later answer to the history of a session, for the next turn's model. Its tokens are counted with its run. */
export async function recordLaterAnswer(
  id: SessionId,
  { key, turnId, text, files }: AnswerAfterTurn,
  ports: LaterPorts,
): Promise<void> {
  // The owner is the same for all that record it: none waits for the lease of one that has died.
  const requestKey = { key, bodyHash: key, owner: key };
  const { recorded, ...state } = await openSession(id, requestKey, ports);
  if (recorded !== null) return;
  const turn: Turn = {
    turnId: ports.completionId(),
    createdAt: new Date(ports.clock.now()).toISOString(),
    previousTurnId: turnId,
    input: [],
    steps: [],
    isLater: true,
    answer: { role: 'assistant', content: text },
    ...(files.length > 0 && { files }),
    finishReason: 'stop',
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  };
  await recordTurn({ ...id, ...state, key: requestKey }, turn, null, () => undefined, ports);
}
