import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicFactory } from 'ulid';
import { type RetrySchedule, retryDelayMs } from '../../shared/leases/retry-schedule.ts';
import type { Backoff } from '../../shared/ports/backoff.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';

export const systemClock: Clock = { now: () => Date.now() };

const ulid = monotonicFactory();

export const ulidIds: Ids = { next: (prefix) => `${prefix}_${ulid()}` };

/**
 * Full jitter spreads transactions that collided once over the whole interval. So long that 200 at once get through with
 * nine attempts each (`npm run bench charges`).
 */
export const COLLISIONS: RetrySchedule = { firstMs: 50, factor: 2, maxMs: 3_000, jitter: 1 };

export const jitteredBackoff: Backoff = { wait: (attempt) => sleep(retryDelayMs(COLLISIONS, attempt)) };
