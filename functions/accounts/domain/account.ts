import type { Budgets } from './budgets.ts';
import type { DataSettings } from './data-settings.ts';

/** Successful calls of a workspace that are free. */
export const FREE_CALLS = 10;

/** The prepaid account of a workspace. Money is integer KRW and never below zero. */
export interface Account {
  readonly workspaceId: string;
  readonly balanceKrw: number;
  /** Part of the balance that is held for work under way; absent: 0. */
  readonly heldKrw?: number;
  /** Successful calls that were free, of every service that has free calls. */
  readonly freeCallsUsed: number;
  /** Null: no low-balance e-mail. */
  readonly lowBalanceThresholdKrw: number | null;
  /** True from the notice to the owners until the balance is above the threshold again. */
  readonly lowBalanceNotified: boolean;
  /** ISO time of the last change of the balance; null when there never was one. */
  readonly updatedAt: string | null;
  /** Settings for the workspace's stored data; absent: everything is kept, for the service's periods. */
  readonly data?: DataSettings;
  /** Spending limits of keys and applications; absent: unlimited. */
  readonly budgets?: Budgets;
  /** When several charges last had to be posted together; absent: never. */
  readonly crowd?: Crowd;
  /** Grows with every change; a change names the version that it was computed from. */
  readonly version: number;
}

export interface Crowd {
  /** Epoch time. */
  readonly atMs: number;
  /** How long the first of them had waited for it. */
  readonly waitedMs: number;
}

/** One line of the ledger. Never changed, never deleted. */
export interface LedgerEntry {
  readonly entryId: string;
  readonly workspaceId: string;
  /** Version of the account that the entry led to: the order of the ledger. Changes that move no money leave gaps. */
  readonly sequence: number;
  readonly kind: 'opening' | 'extraction' | 'chat' | 'sandbox' | 'top_up';
  /** Signed: a charge is negative, a free call 0. */
  readonly amountKrw: number;
  /** The balance right after this entry. */
  readonly balanceKrw: number;
  /** Id of the extraction, answer, run or execution that was charged, or the name of the payment. Null for the opening entry. */
  readonly reference: string | null;
  /** API key that caused it; null or absent: none did, or the entry is older than this member. */
  readonly keyId?: string | null;
  readonly createdAt: string;
}

/** The part of the balance that a charge may take. */
export function availableKrw({ balanceKrw, heldKrw = 0 }: Pick<Account, 'balanceKrw' | 'heldKrw'>): number {
  return balanceKrw - heldKrw;
}

export interface Accounts {
  /** Strongly consistent. @returns null when there is no such workspace. */
  find(workspaceId: string): Promise<Account | null>;
}

/** @throws Error when there is none: every workspace has an account. */
export async function accountOf(workspaceId: string, accounts: Accounts): Promise<Account> {
  const account = await accounts.find(workspaceId);
  if (account === null) throw new Error(`Workspace ${workspaceId} has no account.`);
  return account;
}
