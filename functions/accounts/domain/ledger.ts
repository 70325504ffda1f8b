import type { LedgerEntry } from './account.ts';
import type { Booking } from './posting.ts';

/** Why a workspace's balance is what it is. */
export interface Ledger {
  /**
   * Books what was paid in: one transaction, on the condition that the account still has the version of
   * `booking.before` and that no payment of this reference was booked.
   */
  topUp(booking: Booking): Promise<TopUpOutcome>;
  /** Newest first. @param before the sequence of an entry: only older ones; null: from the newest on. */
  entries(workspaceId: string, limit: number, before: number | null): Promise<LedgerEntry[]>;
}

export type TopUpOutcome =
  | { readonly kind: 'booked' }
  /** A payment of this reference was booked before, by this entry. */
  | { readonly kind: 'repeated'; readonly entry: LedgerEntry }
  /** Somebody else changed the account: compute again, from the account as it is then. */
  | { readonly kind: 'conflict' };

export interface LedgerPage {
  readonly entries: readonly LedgerEntry[];
  /** Opaque to callers; null on the last page. */
  readonly nextCursor: string | null;
}

/** One page of the ledger. What is booked between two pages moves nothing: no entry comes twice or is left out. */
export async function ledgerPage(
  workspaceId: string,
  { limit, before }: { readonly limit: number; readonly before: number | null },
  ledger: Pick<Ledger, 'entries'>,
): Promise<LedgerPage> {
  // One more than asked for: whether there is another page is known, and none is empty.
  const entries = await ledger.entries(workspaceId, limit + 1, before);
  const page = entries.slice(0, limit);
  const last = page.at(-1);
  return { entries: page, nextCursor: entries.length > limit && last ? String(last.sequence) : null };
}

/** What `nextCursor` can be: a sequence. */
export const CURSOR = /^[1-9][0-9]{0,14}$/;
