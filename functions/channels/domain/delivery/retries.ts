import { type RetrySchedule, retryDelayMs } from '../../../shared/leases/retry-schedule.ts';

/** After the first attempt; the fifth that fails is the end. */
export const MAX_RETRIES = 5;

/** 1, 2, 4, 8 and 16 seconds, each up to a quarter longer by chance, and never more than 30. */
const DELAYS: RetrySchedule = { firstMs: 1_250, factor: 2, maxMs: 30_000, jitter: 0.2 };

/** Time to wait before a retry. @param retry 1 to 5. @param askedMs what the platform asks for; the longer one counts. */
export function deliveryDelayMs(retry: number, askedMs: number | null, random: () => number): number {
  return Math.ceil(Math.max(retryDelayMs(DELAYS, retry, random), askedMs ?? 0));
}

/** A retry that meets an open circuit waits, without using up an attempt; but not for longer than this in all. */
export const MAX_FAILING_MS = 15 * 60_000;
