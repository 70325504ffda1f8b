import { setTimeout as sleep } from 'node:timers/promises';

/** Work that is done again and again beside the requests. */
export interface Repeating {
  /** Lets the round under way finish. */
  stop(): Promise<void>;
}

/** Runs `round`, waits, runs it again, until it is stopped. A round that fails is logged, and the next one comes all the same. */
export function repeat(round: () => Promise<void>, pauseMs: number): Repeating {
  const stopped = new AbortController();
  const { signal } = stopped;
  const running = (async () => {
    while (!signal.aborted) {
      await round().catch((error: unknown) => console.error('Work in the background failed:', error));
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  })();
  return {
    stop() {
      stopped.abort();
      return running;
    },
  };
}
