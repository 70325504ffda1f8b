/**
 * A token bucket: it holds `burst` tokens and gets one back every `refillMs`. Its only state is the time at which it will be full again;
 * a full bucket needs no state.
 */
export interface RateLimit {
  /** Names the limit in the store. */
  readonly name: string;
  readonly burst: number;
  readonly refillMs: number;
}

/** Buckets by limit and subject. */
export interface LimitStore {
  /**
   * Takes all `tokens` or none, atomically: two takers never get the same token.
   * @param tokens 1 to the limit's `burst`.
   * @returns whether they were taken, and when the bucket will be full again afterwards (epoch milliseconds).
   */
  take(limit: RateLimit, subject: string, tokens: number, nowMs: number): Promise<Taken>;
}

export interface Taken {
  readonly taken: boolean;
  readonly fullAtMs: number;
}

export interface LimitVerdict {
  readonly passes: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Until as many tokens are there as were asked for; 0 when it passes. */
  readonly retryAfterSeconds: number;
  /** Until the bucket is full. */
  readonly resetSeconds: number;
}

/** The state of a bucket, as responses report it. */
export function verdict(
  { burst, refillMs }: RateLimit,
  tokens: number,
  { taken, fullAtMs }: Taken,
  nowMs: number,
): LimitVerdict {
  const untilFullMs = Math.max(0, fullAtMs - nowMs);
  return {
    passes: taken,
    limit: burst,
    remaining: Math.max(0, Math.floor(burst - untilFullMs / refillMs)),
    retryAfterSeconds: taken ? 0 : Math.max(1, Math.ceil((untilFullMs - (burst - tokens) * refillMs) / 1000)),
    resetSeconds: Math.ceil(untilFullMs / 1000),
  };
}

/** The verdict that a client must hear of several: the refusal that lasts longest, else the bucket that is emptiest. */
export function tightest(verdicts: readonly LimitVerdict[]): LimitVerdict | null {
  const [first = null] = verdicts.toSorted(
    (a, b) => b.retryAfterSeconds - a.retryAfterSeconds || a.remaining - b.remaining,
  );
  return first;
}

export function limitHeaders({ limit, remaining, resetSeconds, retryAfterSeconds, passes }: LimitVerdict) {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
    ...(!passes && { 'retry-after': String(retryAfterSeconds) }),
  };
}
