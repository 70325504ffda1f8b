import { Problem } from '../http/problem.ts';
import type { Clock } from '../ports/clock.ts';
import { type LimitStore, type RateLimit, verdict } from './rate-limit.ts';

export interface LimitPorts {
  readonly limits: LimitStore;
  readonly clock: Clock;
  /** Told when the store does not answer: the request passes, and somebody must look. */
  readonly storeFailed: (error: unknown) => Promise<void>;
}

/** Takes `tokens` for a request, all or none. @returns the headers of its answer. @throws Problem 429 */
export async function requireTokens(
  limit: RateLimit,
  subject: string,
  tokens: number,
  { limits, clock, storeFailed }: LimitPorts,
): Promise<Record<string, string>> {
  const nowMs = clock.now();
  const taken = await limits.take(limit, subject, tokens, nowMs).catch(async (error: unknown) => {
    await storeFailed(error);
    return null;
  });
  if (taken === null) return {};
  const { passes, remaining, retryAfterSeconds, resetSeconds } = verdict(limit, tokens, taken, nowMs);
  const headers = {
    'ratelimit-limit': String(limit.burst),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
  };
  if (!passes)
    throw new Problem(429, 'rate_limited', 'Rate limit exceeded. Please try again later.', {
      headers: { ...headers, 'retry-after': String(retryAfterSeconds) },
    });
  return headers;
}
