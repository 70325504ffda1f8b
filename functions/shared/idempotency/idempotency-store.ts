/**
 * The record of an Idempotency-Key. A key belongs to one workspace and one path, and is kept for 24 hours.
 * `@aws-lambda-powertools/idempotency` does not fit: it stores the response in a separate write after the function has returned, so that
 * a crash between the charge and that write would charge a retry again. Here one transaction charges and completes the record, provided
 * that the caller still owns the claim. The library has no owners: a run believed dead could complete or release the key of the run that
 * replaced it.
 */
export interface IdempotencyStore {
  /** Takes the key for this call, or returns its current holder. Atomic: only one of two callers gets it. */
  claim(request: ClaimRequest): Promise<ClaimOutcome>;
  /** Gives the key back after a failure. Does nothing when the claim was completed, or another call holds it now. */
  release(claim: Claim): Promise<void>;
}

export interface IdempotencyScope {
  readonly workspaceId: string;
  readonly path: string;
  /** 1 to 255 visible ASCII characters, from the client. */
  readonly key: string;
}

export interface ClaimRequest extends IdempotencyScope {
  /** Of the request's body; the same key with another body is refused. */
  readonly bodyHash: string;
  /** Unique to this call: only the owner may complete or release a claim. */
  readonly owner: string;
  readonly nowMs: number;
  /** From when on the call is taken for dead: later than the function can possibly run. */
  readonly leaseUntilMs: number;
}

/** A key that is held by a call in progress. */
export interface Claim extends IdempotencyScope {
  readonly owner: string;
}

export type ClaimOutcome =
  | { readonly kind: 'claimed'; readonly claim: Claim }
  /** `response` is the first call's, as it was stored. */
  | { readonly kind: 'completed'; readonly bodyHash: string; readonly response: string }
  | { readonly kind: 'in_progress'; readonly bodyHash: string; readonly leaseUntilMs: number };

export const IDEMPOTENCY_KEPT_SECONDS = 24 * 60 * 60;
