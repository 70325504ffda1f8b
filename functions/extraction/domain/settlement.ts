import type { PostedChange } from '../../accounts/domain/posting.ts';
import type { UsageEvent } from '../../accounts/domain/usage.ts';
import type { Claim } from '../../shared/idempotency/idempotency-store.ts';
import type { ImageLease, ImageOutcome } from './image-outcome.ts';
import type { StoredExtraction } from './stored-extraction.ts';

/** Everything that is written together when an extraction is paid for, or not at all. */
export interface Settlement {
  /** Null when nothing is charged. */
  readonly payment: PostedChange | null;
  readonly workspaceId: string;
  readonly extractionId: string;
  readonly nowMs: number;
  /** Null where the workspace keeps no results. */
  readonly extraction: StoredExtraction | null;
  /** The call, to be counted with it; absent: it is not counted. */
  readonly usage?: UsageEvent;
  /** The record that is completed with it: a single call's Idempotency-Key, or an image of a batch. Null: none. */
  readonly completion: Completion | null;
}

export type Completion =
  | { readonly claim: Claim; readonly response: string }
  | { readonly lease: ImageLease; readonly outcome: ImageOutcome };

export interface Settlements {
  /**
   * One transaction, on these conditions: the account still has the version of `payment.before`, entry and extraction do
   * not exist, the claim or the lease is still held. When one fails nothing is changed.
   */
  settle(settlement: Settlement): Promise<SettlementOutcome>;
}

export type SettlementOutcome =
  | { readonly kind: 'settled' }
  /** Another change of the account came first: compute again, from the account as it is then. */
  | { readonly kind: 'conflict' }
  /** The lease of this run expired, and another run holds its key or its image, or has finished it. */
  | { readonly kind: 'lease_lost' };
