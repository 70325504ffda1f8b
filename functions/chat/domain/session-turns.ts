import { ModelFailed } from './chat-model.ts';
import type { SessionId } from './conversations.ts';

/** Messages of one session that may wait while another one is answered. */
export const MAX_WAITING_TURNS = 10;
/** The longest wait of one of them. */
export const MAX_TURN_WAIT_MS = 60_000;

/** Messages of a session that are answered one after another, in the order of their arrival. */
export interface SessionTurns {
  /**
   * Waits for the messages before this one. Those of a process that has died keep no one waiting for longer than a lease of 20 s.
   * @returns what ends the turn; it does not throw.
   * @throws ModelFailed 'session_busy' if too many wait, or after `MAX_TURN_WAIT_MS`; what `signal` was aborted with.
   */
  takeTurn(session: SessionId, signal: AbortSignal): Promise<() => Promise<void>>;
}

export function tooManyWaiting(): ModelFailed {
  return busy(`${MAX_WAITING_TURNS} messages of this session wait for their turn already.`);
}

export function waitedTooLong(): ModelFailed {
  return busy(`Earlier messages of this session are still being answered after ${MAX_TURN_WAIT_MS / 1_000} seconds.`);
}

function busy(fault: string): ModelFailed {
  const remedy = 'Send this one again when they are answered, or use another X-Session-Id for a separate conversation.';
  return new ModelFailed('session_busy', `${fault} ${remedy}`, { isPassing: true, retryAfterSeconds: 5 });
}
