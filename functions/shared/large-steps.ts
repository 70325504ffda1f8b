import { setTimeout as sleep } from 'node:timers/promises';

/** A step over less takes a few milliseconds. */
const LARGE_LENGTH = 1024 * 1024;
/** On a busy machine a step takes long because others have the processor. */
const MAX_PAUSE_MS = 50;

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a step whose time grows with the length of a text, and whose text cannot be sent to another thread for less. Steps over megabytes run one
 * at a time; after each, other requests have the thread for as long as the step took.
 * @param length characters or bytes
 */
export async function largeStep<T>(length: number, step: () => T): Promise<T> {
  if (length < LARGE_LENGTH) return step();
  let tookMs = 0;
  const done = last.then(() => {
    const beganAt = performance.now();
    try {
      return step();
    } finally {
      tookMs = performance.now() - beganAt;
    }
  });
  const pause = () => sleep(Math.min(tookMs, MAX_PAUSE_MS));
  last = done.then(pause, pause);
  return done;
}
