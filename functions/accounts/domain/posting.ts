import type { Ids } from '../../shared/ports/ids.ts';
import type { Account, LedgerEntry } from './account.ts';
import { type LowBalanceNotice, watchBalance } from './low-balance.ts';

/** One change of an account with all that follows from it: stored together or not at all. */
export interface Booking {
  /** The account that the change was computed from. */
  readonly before: Account;
  readonly after: Account;
  readonly entry: LedgerEntry;
  /** Null unless this change takes the balance down to the threshold. */
  readonly notice: LowBalanceNotice | null;
}

export interface Change {
  /** What the account is left with. */
  readonly funds: Pick<Account, 'balanceKrw' | 'freeCallsUsed'>;
  readonly kind: LedgerEntry['kind'];
  readonly reference: string;
}

/** @throws Error when the account would be left with anything but a whole amount of at least zero. */
export function book(before: Account, { funds, kind, reference }: Change, nowMs: number, ids: Ids): Booking {
  const { balanceKrw, freeCallsUsed } = funds;
  if (!Number.isSafeInteger(balanceKrw) || balanceKrw < 0)
    throw new Error(`A booking of ${kind} ${reference} would leave ${balanceKrw} KRW.`);
  const { workspaceId } = before;
  const createdAt = new Date(nowMs).toISOString();
  const amountKrw = balanceKrw - before.balanceKrw;
  const sequence = before.version + 1;
  const changed = {
    ...before,
    balanceKrw,
    freeCallsUsed,
    updatedAt: amountKrw === 0 ? before.updatedAt : createdAt,
    version: sequence,
  };
  return {
    before,
    ...watchBalance(before, changed, createdAt),
    entry: { entryId: ids.next('led'), workspaceId, sequence, kind, amountKrw, balanceKrw, reference, createdAt },
  };
}
