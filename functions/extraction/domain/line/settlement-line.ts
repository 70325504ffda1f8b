import type { Account, Crowd, LedgerEntry } from '../../../accounts/domain/account.ts';
import type { ChargeNotice } from '../../../accounts/domain/posting.ts';
import type { UsageEvent } from '../../../accounts/domain/usage.ts';
import type { Claim } from '../../../shared/idempotency/idempotency-store.ts';
import type { JudgedPage } from '../extraction.ts';
import type { ImageLease } from '../image-outcome.ts';
import type { Labels } from '../labels.ts';
import type { Completion } from '../settlement.ts';

/** A settlement that waits in its workspace's line: what another caller needs to post it. The page lies apart. */
export interface WaitingSettlement {
  readonly extractionId: string;
  readonly workspaceId: string;
  readonly keyId: string | null;
  /** Application that it is for; null or absent: none. */
  readonly applicationId?: string | null;
  /** Null for a call without an Idempotency-Key. */
  readonly completes: WaitingCompletion | null;
  /** Days for which its page is kept; 0: not at all. Absent: as long as possible. */
  readonly keptDays?: number;
  /** Key of its image in the bucket of uploads; null or absent: it is not there. */
  readonly uploadKey?: string | null;
  /** Names that the caller gave to its image; absent: none. */
  readonly labels?: Labels | undefined;
  /** Epoch time. */
  readonly joinedAtMs: number;
  /** Epoch time from which on it must not be posted any more. */
  readonly deadlineMs: number;
}

/** The record that the posting completes: a single call's Idempotency-Key, or an image of a batch with its page's members. */
export type WaitingCompletion =
  | { readonly claim: Claim }
  | { readonly lease: ImageLease; readonly page: Pick<JudgedPage, 'summary' | 'foundTable' | 'geometry'> };

/** The outcome of a settlement from the line: the page is known, and these members follow from the account. */
export interface SettledCharge {
  readonly cost: { readonly krw: number; readonly free: boolean };
  /** The balance right after its own entry. */
  readonly balanceKrw: number;
}

export type WaitingState =
  | { readonly kind: 'waiting' }
  | ({ readonly kind: 'settled' } & SettledCharge)
  /** Withdrawn, or dropped: it will never be posted. */
  | { readonly kind: 'gone' };

/** One settlement of several that are posted together. */
export interface CombinedSettlement extends SettledCharge {
  readonly waiting: WaitingSettlement;
  readonly entry: LedgerEntry;
  readonly completion: Completion | null;
}

/** Settlements of one workspace that are posted together, with one change of the account. */
export interface CombinedPosting {
  readonly before: Account;
  readonly after: Account;
  /** In the order of their entries. */
  readonly settlements: readonly CombinedSettlement[];
  readonly notices: readonly ChargeNotice[];
  /** Calls of the same key are one event. */
  readonly usage: readonly UsageEvent[];
  readonly nowMs: number;
}

export type PostingOutcome =
  | { readonly kind: 'posted' }
  /** Another change of the account came first. */
  | { readonly kind: 'conflict' }
  /** Nothing was posted: these are not waiting any more, or have lost their claim or lease. */
  | { readonly kind: 'refused'; readonly refused: readonly WaitingSettlement[] };

/**
 * The line in which a workspace's settlements wait when they come too fast to be posted one by one. What decides is the
 * state of each settlement alone: it is posted, withdrawn or dropped by a write on the condition that it waits. The order of the
 * line, and whose turn it is to post, only spare useless attempts.
 */
export interface SettlementLine {
  /** Stores the settlement as waiting, with its page, which no reader finds until it is settled. @throws Contention */
  join(waiting: WaitingSettlement, page: JudgedPage): Promise<void>;
  state(waiting: WaitingSettlement): Promise<WaitingState>;
  /** Takes settlements out of the line: those that still wait are gone, and will never be posted. */
  drop(some: readonly WaitingSettlement[]): Promise<void>;
  /** Takes settlements out of the line that have been posted. */
  clear(some: readonly WaitingSettlement[]): Promise<void>;
  /** The first of the line, in the order in which their extractions started. */
  first(workspaceId: string, limit: number): Promise<WaitingSettlement[]>;
  /**
   * One transaction, on these conditions: the account still has the version of `before`, and each of the settlements
   * still waits and still has its claim or its lease.
   */
  post(posting: CombinedPosting): Promise<PostingOutcome>;
  /** Marks the account as crowded, so that calls which come now join the line at once. */
  markCrowded(workspaceId: string, crowd: Crowd): Promise<void>;
  /** Makes this caller the one who posts. @returns false while another one is. */
  takeTurn(turn: Turn, nowMs: number): Promise<boolean>;
  /** Does nothing when it is another's turn by now. */
  endTurn(turn: Turn): Promise<void>;
}

/** The time in which one caller posts for the whole line. */
export interface Turn {
  readonly workspaceId: string;
  /** Unique to the caller. */
  readonly holder: string;
  /** Epoch time at which it is over, also if the caller has gone. */
  readonly untilMs: number;
}
