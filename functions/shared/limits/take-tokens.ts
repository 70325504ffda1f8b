import type { Clock } from '../ports/clock.ts';
import type { BaseLimits, LimitOverrides } from './base-limits.ts';
import type { KnownAddresses } from './known-addresses.ts';
import { type LimitStore, type LimitVerdict, type RateLimit, verdict } from './rate-limit.ts';
import type { Refusals } from './refusals.ts';

export interface LimitPorts {
  readonly store: LimitStore;
  readonly clock: Clock;
  readonly base: BaseLimits;
  readonly overrides?: LimitOverrides;
  /** For limits that spare known addresses; absent: none is known. */
  readonly known?: KnownAddresses;
  /** The Retry-After times sent to callers, for code that reads bodies before the handler. */
  readonly refusals?: Refusals;
  /** Called when the store does not answer: the request passes, and an alarm counts it. */
  readonly storeFailed: (error: unknown) => Promise<void>;
}

/** Tokens that a request takes of one bucket. */
export interface Demand {
  readonly limit: RateLimit;
  readonly subject: string;
  readonly tokens: number;
}

/** Takes the tokens of all demands in parallel. A bucket whose store fails passes, and has no verdict. */
export async function takeTokens(
  demands: readonly Demand[],
  { store, clock, storeFailed }: Pick<LimitPorts, 'store' | 'clock' | 'storeFailed'>,
): Promise<LimitVerdict[]> {
  const nowMs = clock.now();
  const verdicts = demands.map(async ({ limit, subject, tokens }) => {
    try {
      return [verdict(limit, tokens, await store.take(limit, subject, tokens, nowMs), nowMs)];
    } catch (error) {
      await storeFailed(error);
      return [];
    }
  });
  return (await Promise.all(verdicts)).flat();
}
