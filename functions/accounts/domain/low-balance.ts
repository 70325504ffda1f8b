import type { Account } from './account.ts';

/** That a balance has come down to its threshold: the owners get one e-mail. */
export interface LowBalanceNotice {
  /** The same for the same change of the account. */
  readonly noticeId: string;
  readonly workspaceId: string;
  readonly balanceKrw: number;
  readonly thresholdKrw: number;
  readonly createdAt: string;
}

/**
 * Decides on the notice of a change: one when a charge leaves the balance at or below the threshold (at, so that a
 * threshold of 0 tells of an empty account), and no other until the balance has been above it.
 */
export function watchBalance(
  before: Account,
  after: Account,
  createdAt: string,
): { readonly after: Account; readonly notice: LowBalanceNotice | null } {
  const { workspaceId, balanceKrw, lowBalanceThresholdKrw: thresholdKrw } = after;
  if (thresholdKrw === null) return { after, notice: null };
  if (balanceKrw > thresholdKrw) return { after: { ...after, lowBalanceTold: false }, notice: null };
  if (before.lowBalanceTold || balanceKrw >= before.balanceKrw) return { after, notice: null };
  const noticeId = `${workspaceId}-${after.version}`;
  return {
    after: { ...after, lowBalanceTold: true },
    notice: { noticeId, workspaceId, balanceKrw, thresholdKrw, createdAt },
  };
}

/**
 * The account with another threshold. Who sets one that the balance is below already sees so in the answer; the mail comes
 * with the next charge. Who was told since the balance was last above the old threshold is not told again for moving it.
 */
export function withThreshold(account: Account, thresholdKrw: number | null): Account {
  const isLow = thresholdKrw !== null && account.balanceKrw <= thresholdKrw;
  return {
    ...account,
    lowBalanceThresholdKrw: thresholdKrw,
    lowBalanceTold: isLow && account.lowBalanceTold,
    version: account.version + 1,
  };
}
