import type { Booking } from '../../accounts/domain/posting.ts';
import type { Claim } from '../../shared/idempotency/idempotency-store.ts';
import type { ImageLease, ImageOutcome } from './batch/job.ts';
import type { StoredExtraction } from './stored-extraction.ts';

/** Everything that must become true together when an extraction is paid for, or not at all. */
export interface Settlement {
  /** Null when nothing is charged. */
  readonly payment: Booking | null;
  readonly extraction: StoredExtraction;
  /** What ends with it: the Idempotency-Key's claim of a single call, or the image of a batch. Null: nothing. */
  readonly completion: Completion | null;
}

export type Completion =
  | { readonly claim: Claim; readonly response: string }
  | { readonly lease: ImageLease; readonly outcome: ImageOutcome };

export interface Settlements {
  /**
   * One transaction, on these conditions: the account still has the version of `payment.before`, entry and extraction are
   * not there, the claim or the image is still its owner's. When one fails nothing is changed.
   */
  settle(settlement: Settlement): Promise<SettlementOutcome>;
}

export type SettlementOutcome =
  | { readonly kind: 'settled' }
  /** Somebody else changed the account, or is about to: compute again, from the account as it is then. */
  | { readonly kind: 'conflict' }
  /** This run was taken for dead, and another one holds its key or its image, or has finished it. */
  | { readonly kind: 'claim_lost' };
