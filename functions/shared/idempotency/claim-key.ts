import type { Claim, ClaimRequest, IdempotencyStore } from './idempotency-store.ts';

/** Why a call with an Idempotency-Key is not run. */
export class IdempotencyRefused extends Error {
  override name = 'IdempotencyRefused';
  readonly refusal: 'idempotency_key_reused' | 'idempotency_in_progress';
  /** When it makes sense to try again. */
  readonly retryAfterSeconds: number | null;

  constructor(refusal: IdempotencyRefused['refusal'], message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.refusal = refusal;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Most calls are done long before their lease ends: asking again soon is worth it, and costs one read. */
const LONGEST_RETRY_AFTER_SECONDS = 5;

export type Claimed = { readonly claim: Claim } | { readonly replay: string };

/**
 * Takes the key for this call, or gives back what the first call answered.
 * @throws IdempotencyRefused when the key was used with another body, or its first call is still running.
 */
export async function claimKey(request: ClaimRequest, store: IdempotencyStore): Promise<Claimed> {
  const outcome = await store.claim(request);
  if (outcome.kind === 'claimed') return { claim: outcome.claim };
  if (outcome.bodyHash !== request.bodyHash)
    throw new IdempotencyRefused(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another body. Use a new key for a new request.',
    );
  if (outcome.kind === 'completed') return { replay: outcome.response };
  throw stillRunning(outcome.leaseUntilMs - request.nowMs);
}

/** @param leaseMs how long the running call may still hold the key. */
export function stillRunning(leaseMs: number): IdempotencyRefused {
  const seconds = Math.min(LONGEST_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(leaseMs / 1000)));
  return new IdempotencyRefused(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still being processed. Send it again after the Retry-After time.',
    seconds,
  );
}

/** Runs `work` while the key is held, and frees the key when the work fails: nothing was charged then. */
export async function whileClaimed<T>(
  claim: Claim | null,
  store: Pick<IdempotencyStore, 'release'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // When this fails too the lease ends by itself; the first error is what the caller must hear of.
    if (claim) await store.release(claim).catch(() => undefined);
    throw error;
  }
}
