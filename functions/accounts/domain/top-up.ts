import type { Backoff } from '../../shared/ports/backoff.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { type Account, type Accounts, accountOf, type LedgerEntry } from './account.ts';
import { BalanceRefused } from './balance-refused.ts';
import { changeAccount } from './change-account.ts';
import type { Ledger } from './ledger.ts';
import { book } from './posting.ts';

/** Far above what anybody prepays: a slip of the keyboard is refused. */
export const MOST_TOP_UP_KRW = 100_000_000;

export interface TopUpPorts {
  readonly accounts: Accounts;
  readonly ledger: Pick<Ledger, 'topUp'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly backoff: Backoff;
}

export interface TopUp {
  readonly workspaceId: string;
  readonly amountKrw: number;
  /** The payment's own name, such as the bank's number of the transfer: it is booked once, however often it is sent. */
  readonly reference: string;
}

export interface TopUpResult {
  readonly entry: LedgerEntry;
  /** As it is now. */
  readonly account: Account;
  /** True when the payment was booked by an earlier call. */
  readonly replayed: boolean;
}

/** Books a payment, once. @throws BalanceRefused; nothing is booked then. */
export async function topUp({ workspaceId, amountKrw, reference }: TopUp, ports: TopUpPorts): Promise<TopUpResult> {
  return changeAccount(workspaceId, ports, async (before): Promise<TopUpResult | null> => {
    const funds = { ...before, balanceKrw: before.balanceKrw + amountKrw };
    const booking = book(before, { funds, kind: 'top_up', reference }, ports.clock.now(), ports.ids);
    const outcome = await ports.ledger.topUp(booking);
    if (outcome.kind === 'conflict') return null;
    if (outcome.kind === 'booked') return { entry: booking.entry, account: booking.after, replayed: false };
    checkSame(outcome.entry, amountKrw);
    return { entry: outcome.entry, account: await accountOf(workspaceId, ports.accounts), replayed: true };
  });
}

function checkSame({ amountKrw: bookedKrw, reference }: LedgerEntry, amountKrw: number): void {
  if (bookedKrw === amountKrw) return;
  throw new BalanceRefused(
    'reference_reused',
    `The payment ${JSON.stringify(reference)} was booked with ${bookedKrw} KRW, not ${amountKrw}. Give another payment its own reference.`,
    { bookedKrw },
  );
}
