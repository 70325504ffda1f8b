import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicFactory } from 'ulid';
import type { Backoff } from '../../shared/ports/backoff.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';

export const systemClock: Clock = { now: () => Date.now() };

const ulid = monotonicFactory();

export const ulidIds: Ids = { next: (prefix) => `${prefix}_${ulid()}` };

const FIRST_WAIT_MS = 25;
const LONGEST_WAIT_MS = 3000;

/**
 * Exponential, with full jitter: callers that collided once are spread over the whole interval. So long that 200
 * at once get through with nine tries each (`npm run bench:charges`).
 */
export const jitteredBackoff: Backoff = {
  wait: (attempt) => sleep(Math.random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt)),
};
