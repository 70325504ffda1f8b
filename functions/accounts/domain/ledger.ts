import type { LedgerEntry } from './account.ts';
import type { AuditEntry } from './audit.ts';
import type { PostedChange } from './posting.ts';

/** The entries that a workspace's balance is the sum of. */
export interface Ledger {
  /**
   * Posts a payment and stores its audit entry: one transaction, on the condition that the account still has the version of `change.before` and that
   * no payment of this reference was posted; of an owner's, that the owner posted none either.
   * @param source by default 'payment'.
   */
  topUp(change: PostedChange, audit: AuditEntry, source?: TopUpSource): Promise<TopUpOutcome>;
  /** Newest first. @param before the sequence of an entry: only older ones; null: from the newest on. */
  entries(workspaceId: string, limit: number, before: number | null): Promise<LedgerEntry[]>;
}

/** The authority behind a payment: an owner's entry never takes the reference of a future payment. */
export type TopUpSource = 'payment' | 'owner';

export type TopUpOutcome =
  | { readonly kind: 'posted' }
  /** A payment of this reference was posted before, by this entry. */
  | { readonly kind: 'repeated'; readonly entry: LedgerEntry }
  /** Another change of the account came first: compute again, from the account as it is then. */
  | { readonly kind: 'conflict' };

export interface LedgerPage {
  readonly entries: readonly LedgerEntry[];
  /** Opaque to clients; null on the last page. */
  readonly nextCursor: string | null;
}

/** One page of the ledger. Entries that are posted between two pages move nothing: none comes twice or is left out. */
export async function ledgerPage(
  workspaceId: string,
  { limit, before }: { readonly limit: number; readonly before: number | null },
  ledger: Pick<Ledger, 'entries'>,
): Promise<LedgerPage> {
  // One more than requested shows whether there is another page, and keeps the last page from being empty.
  const entries = await ledger.entries(workspaceId, limit + 1, before);
  const page = entries.slice(0, limit);
  const last = page.at(-1);
  return { entries: page, nextCursor: entries.length > limit && last ? String(last.sequence) : null };
}

/** The form of `nextCursor`: a sequence number. */
export const CURSOR = /^[1-9][0-9]{0,14}$/;
