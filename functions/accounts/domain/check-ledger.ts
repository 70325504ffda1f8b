import type { Account, Accounts, LedgerEntry } from './account.ts';
import type { Ledger } from './ledger.ts';

export interface CheckLedgerPorts {
  readonly accounts: Accounts;
  readonly ledger: Pick<Ledger, 'entries'>;
  /** Workspaces whose balance has changed since then. @param since ISO time */
  readonly changedSince: (since: string) => AsyncIterable<string>;
  /** Called for each ledger that does not add up. */
  readonly onMismatch: (workspaceId: string, what: string) => Promise<void>;
}

/** Entries that are read at once. */
const PAGE = 100;

/**
 * Checks that every balance that has changed since then is the sum of its entries. @returns how many ledgers were checked
 */
export async function checkLedgers(since: string, ports: CheckLedgerPorts): Promise<number> {
  let checked = 0;
  for await (const workspaceId of ports.changedSince(since)) {
    const what = await mismatchOf(workspaceId, since, ports);
    if (what !== null) await ports.onMismatch(workspaceId, what);
    checked += 1;
  }
  return checked;
}

async function mismatchOf(
  workspaceId: string,
  since: string,
  { accounts, ledger }: Pick<CheckLedgerPorts, 'accounts' | 'ledger'>,
): Promise<string | null> {
  const account = await accounts.find(workspaceId);
  if (account === null) return 'the account is missing';
  // Entries posted after the account was read are beyond its version.
  let newer: LedgerEntry | null = null;
  for (let before = account.version + 1; ; ) {
    const entries = await ledger.entries(workspaceId, PAGE, before);
    for (const entry of entries) {
      const what = newer === null ? againstAccount(entry, account) : againstNewer(entry, newer);
      if (what !== null) return what;
      newer = entry;
    }
    // One more than the period, so that its first change is checked too.
    if (entries.length < PAGE || entries.at(-1)!.createdAt < since) break;
    before = entries.at(-1)!.sequence;
  }
  if (newer === null) return account.balanceKrw === 0 ? null : 'the ledger has no entry';
  if (newer.kind === 'opening' && newer.amountKrw !== newer.balanceKrw) return 'the opening entry is not its balance';
  return null;
}

function againstAccount({ sequence, balanceKrw }: LedgerEntry, account: Account): string | null {
  if (balanceKrw === account.balanceKrw) return null;
  return `the balance is ${account.balanceKrw} KRW, and ${balanceKrw} after its last entry, ${sequence}`;
}

function againstNewer({ sequence, balanceKrw }: LedgerEntry, newer: LedgerEntry): string | null {
  if (balanceKrw + newer.amountKrw === newer.balanceKrw) return null;
  return `entry ${newer.sequence} of ${newer.amountKrw} KRW leads from ${balanceKrw} (entry ${sequence}) to ${newer.balanceKrw}`;
}
