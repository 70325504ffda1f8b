import { setTimeout as sleep } from 'node:timers/promises';

/** Work that is repeated while requests are served. */
export interface Repeating {
  /** Lets the round under way finish. */
  stop(): Promise<void>;
}

export interface Pace {
  /** Before the first round; none by default. */
  readonly firstAfterMs?: number;
  readonly pauseMs: number;
}

/** Runs `round`, waits, runs it again, until it is stopped. A round that fails is logged, and the next one comes all the same. */
export function repeat(round: () => Promise<void>, { firstAfterMs = 0, pauseMs }: Pace): Repeating {
  const stopped = new AbortController();
  const { signal } = stopped;
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined);
  const running = (async () => {
    if (firstAfterMs > 0) await pause(firstAfterMs);
    while (!signal.aborted) {
      await round().catch((error: unknown) => console.error('Work in the background failed:', error));
      await pause(pauseMs);
    }
  })();
  return {
    stop() {
      stopped.abort();
      return running;
    },
  };
}
