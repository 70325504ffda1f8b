import type { Ids } from '../../shared/ports/ids.ts';
import type { Account, LedgerEntry } from './account.ts';
import { type BudgetNotice, budgetNotice } from './budget-mail.ts';
import { spendBudgets } from './budgets.ts';
import { type LowBalanceNotice, watchBalance } from './low-balance.ts';

/** One movement of an account's money. */
export interface Posting {
  /** Signed: a charge is negative, a payment positive, a free call 0. */
  readonly amountKrw: number;
  readonly kind: LedgerEntry['kind'];
  /** Reference of the ledger entry: the extraction, or the payment. */
  readonly reference: string;
  /** API key that causes it; absent: none. */
  readonly keyId?: string | null;
  /** Application that causes it; absent: none. */
  readonly applicationId?: string | null;
  /** Free calls that it uses up; 0 by default. */
  readonly freeCalls?: number;
}

/** An account before and after a posting, with the records that follow from it: stored together or not at all. */
export interface PostedChange {
  /** The account that the change was computed from. */
  readonly before: Account;
  readonly after: Account;
  readonly entry: LedgerEntry;
  /** Of a balance that came down to its threshold, and of budgets that are nearly spent. */
  readonly notices: readonly ChargeNotice[];
}

/** Notice that a charge leads to. */
export type ChargeNotice = LowBalanceNotice | BudgetNotice;

/** The change that a posting makes. @throws Error when the balance would not be a whole amount, or less than is held of it. */
export function post(before: Account, posting: Posting, nowMs: number, ids: Ids): PostedChange {
  const { amountKrw, kind, reference, keyId = null, applicationId = null, freeCalls = 0 } = posting;
  const balanceKrw = before.balanceKrw + amountKrw;
  const heldKrw = amountKrw < 0 ? (before.heldKrw ?? 0) : 0;
  if (!Number.isSafeInteger(balanceKrw) || balanceKrw < heldKrw)
    throw new Error(`A posting of ${kind} ${reference} would leave ${balanceKrw} KRW.`);
  const { workspaceId } = before;
  const createdAt = new Date(nowMs).toISOString();
  const sequence = before.version + 1;
  const payer = { keyId, applicationId };
  const { budgets, reached } = spendBudgets(before.budgets, payer, Math.max(0, 0 - amountKrw), nowMs);
  const changed = {
    ...before,
    ...(budgets && { budgets }),
    balanceKrw,
    freeCallsUsed: before.freeCallsUsed + freeCalls,
    updatedAt: amountKrw === 0 ? before.updatedAt : createdAt,
    version: sequence,
  };
  const { after, notice } = watchBalance(before, changed, createdAt);
  return {
    before,
    after,
    notices: [...(notice === null ? [] : [notice]), ...reached.map((limit) => budgetNotice(workspaceId, limit, nowMs))],
    entry: {
      entryId: ids.next('led'),
      workspaceId,
      sequence,
      kind,
      amountKrw,
      balanceKrw,
      reference,
      keyId,
      createdAt,
    },
  };
}
