import type { Account } from './account.ts';

/** Notice that a balance has come down to its threshold: the owners get one e-mail. */
export interface LowBalanceNotice {
  /** The same for the same change of the account. */
  readonly noticeId: string;
  readonly workspaceId: string;
  readonly balanceKrw: number;
  readonly thresholdKrw: number;
  readonly createdAt: string;
}

/**
 * Decides on the notice of a change: one when a charge leaves the balance at or below the threshold (so that a threshold of
 * 0 reports an empty account), and no other until the balance has been above it.
 */
export function watchBalance(
  before: Account,
  after: Account,
  createdAt: string,
): { readonly after: Account; readonly notice: LowBalanceNotice | null } {
  const { workspaceId, balanceKrw, lowBalanceThresholdKrw: thresholdKrw } = after;
  if (thresholdKrw === null) return { after, notice: null };
  if (balanceKrw > thresholdKrw) return { after: { ...after, lowBalanceNotified: false }, notice: null };
  if (before.lowBalanceNotified || balanceKrw >= before.balanceKrw) return { after, notice: null };
  const noticeId = `${workspaceId}-${after.version}`;
  return {
    after: { ...after, lowBalanceNotified: true },
    notice: { noticeId, workspaceId, balanceKrw, thresholdKrw, createdAt },
  };
}

/**
 * The account with another threshold. A threshold that the balance is below already sends no e-mail by itself, since the
 * response shows the balance; the next charge does. Moving the threshold after a notice sends no second one.
 */
export function withThreshold(account: Account, thresholdKrw: number | null): Account {
  const isLow = thresholdKrw !== null && account.balanceKrw <= thresholdKrw;
  return {
    ...account,
    lowBalanceThresholdKrw: thresholdKrw,
    lowBalanceNotified: isLow && account.lowBalanceNotified,
    version: account.version + 1,
  };
}
