import type { Clock } from '../ports/clock.ts';
import type { Claim, IdempotencyStore } from './idempotency-store.ts';
import type { KeyedCall } from './keyed-call.ts';

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
const MAX_RETRY_AFTER_SECONDS = 5;

/** `claim` is null for a call without a key. */
export type Claimed = { readonly claim: Claim | null } | { readonly replay: string };

export interface ClaimPorts {
  readonly idempotency: Pick<IdempotencyStore, 'claim'>;
  readonly clock: Clock;
}

/**
 * Takes the key of a call for `owner`, the id of what the call is about to make, or gives back what the first call answered.
 * @throws IdempotencyRefused when the key was used with another body, or its first call is still running.
 */
export async function claimKey(
  workspaceId: string,
  call: KeyedCall | null,
  owner: string,
  { idempotency, clock }: ClaimPorts,
): Promise<Claimed> {
  if (call === null) return { claim: null };
  const { path, key, bodyHash, leaseSeconds } = call;
  const nowMs = clock.now();
  const leaseUntilMs = nowMs + leaseSeconds * 1000;
  const outcome = await idempotency.claim({ workspaceId, path, key, bodyHash, owner, nowMs, leaseUntilMs });
  if (outcome.kind === 'claimed') return { claim: outcome.claim };
  if (outcome.bodyHash !== bodyHash)
    throw new IdempotencyRefused(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another body. Use a new key for a new request.',
    );
  if (outcome.kind === 'completed') return { replay: outcome.response };
  throw stillRunning(outcome.leaseUntilMs - nowMs);
}

/** @param leaseMs how long the running call may still hold the key. */
export function stillRunning(leaseMs: number): IdempotencyRefused {
  const seconds = Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(leaseMs / 1000)));
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
