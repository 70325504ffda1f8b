import type { Booking } from '../../accounts/domain/booking.ts';
import type { Claim } from '../../shared/idempotency/idempotency-store.ts';
import type { StoredExtraction } from './stored-extraction.ts';

/** Everything that must become true together when an extraction is paid for, or not at all. */
export interface Settlement {
  /** Null when nothing is charged. */
  readonly payment: Booking | null;
  readonly extraction: StoredExtraction;
  /** Null for a call without an Idempotency-Key. */
  readonly completion: { readonly claim: Claim; readonly response: string } | null;
}

export interface Settlements {
  /**
   * One transaction, on these conditions: the account still has the version of `payment.before`, entry and extraction are
   * not there, the claim is still its owner's. When one fails nothing is changed.
   */
  settle(settlement: Settlement): Promise<SettlementOutcome>;
}

export type SettlementOutcome =
  | { readonly kind: 'settled' }
  /** Somebody else changed the account, or is about to: compute again, from the account as it is then. */
  | { readonly kind: 'conflict' }
  /** This call was taken for dead, and another one holds its key. */
  | { readonly kind: 'claim_lost' };
