/** Exponential delays between attempts. */
export interface RetrySchedule {
  readonly firstMs: number;
  /** Each delay is the previous one times this factor. */
  readonly factor: number;
  readonly maxMs: number;
  /** Random part of a delay, 0 to 1: spreads what failed at the same moment. 0 by default. */
  readonly jitter?: number;
}

/** @param attempt 1 for the delay after the first attempt. */
export function retryDelayMs(
  { firstMs, factor, maxMs, jitter = 0 }: RetrySchedule,
  attempt: number,
  random: () => number = Math.random,
): number {
  const delayMs = Math.min(maxMs, firstMs * factor ** (attempt - 1));
  return delayMs * (1 - jitter * (1 - random()));
}
