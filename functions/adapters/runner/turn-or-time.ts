import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when a program is the first in its line, and after `maxMs` at the latest. */
export async function turnOrTime(turn: Promise<void>, maxMs: number): Promise<void> {
  const over = new AbortController();
  const time = sleep(maxMs, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([turn, time]);
  over.abort();
}
