import type { SessionId } from '../../chat/domain/conversations.ts';
import {
  MAX_TURN_WAIT_MS,
  MAX_WAITING_TURNS,
  type SessionTurns,
  tooManyWaiting,
  waitedTooLong,
} from '../../chat/domain/session-turns.ts';
import { sessionPartitionOf } from './session-partition.ts';

/** Turns within the one process that answers all messages: they end with it, and its successor waits for none of them. */
export class ProcessSessionTurns implements SessionTurns {
  /** Calls of waiting messages, by sessions with a message that is being answered. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #maxWaitMs: number;

  constructor(maxWaitMs = MAX_TURN_WAIT_MS) {
    this.#maxWaitMs = maxWaitMs;
  }

  async takeTurn(session: SessionId, signal: AbortSignal): Promise<() => Promise<void>> {
    const key = sessionPartitionOf(session);
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) this.#waiting.set(key, []);
    else if (waiting.length >= MAX_WAITING_TURNS) throw tooManyWaiting();
    else await this.#called(waiting, signal);
    return async () => this.#callNext(key);
  }

  /** Resolves when it is this one's turn. */
  #called(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const call = () => {
        stopWaiting();
        resolve();
      };
      const giveUp = (reason: unknown) => {
        stopWaiting();
        waiting.splice(waiting.indexOf(call), 1);
        reject(reason);
      };
      const onAbort = () => giveUp(signal.reason);
      const timer = setTimeout(() => giveUp(waitedTooLong()), this.#maxWaitMs);
      const stopWaiting = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      waiting.push(call);
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort);
    });
  }

  #callNext(key: string): void {
    const next = this.#waiting.get(key)?.shift();
    if (next === undefined) this.#waiting.delete(key);
    else next();
  }
}
