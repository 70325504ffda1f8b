import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { type Account, accountOf, type LedgerEntry } from './account.ts';
import { auditEntry, type Origin } from './audit.ts';
import { BalanceRefused } from './balance-refused.ts';
import { type ChangePorts, changeAccount } from './change-account.ts';
import type { Ledger } from './ledger.ts';
import { post } from './posting.ts';

/** Far above any real prepayment: catches slips of the keyboard. */
export const MAX_TOP_UP_KRW = 100_000_000;

export interface TopUpPorts extends ChangePorts {
  readonly ledger: Pick<Ledger, 'topUp'>;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface TopUp {
  readonly workspaceId: string;
  readonly amountKrw: number;
  /** The payment's own name, such as the bank's number of the transfer: it is posted once, however often it is sent. */
  readonly reference: string;
  readonly origin: Origin;
}

export interface TopUpResult {
  readonly entry: LedgerEntry;
  /** The account after the call. */
  readonly account: Account;
  /** True when the payment was posted by an earlier call. */
  readonly replayed: boolean;
}

/** Posts a payment, once. @throws BalanceRefused, AccountBusy; nothing is posted then. */
export async function topUp(
  { workspaceId, amountKrw, reference, origin }: TopUp,
  ports: TopUpPorts,
): Promise<TopUpResult> {
  const keyId = origin.actor.kind === 'key' ? origin.actor.id : null;
  return changeAccount(workspaceId, ports, async (before): Promise<TopUpResult | null> => {
    const change = post(before, { amountKrw, kind: 'top_up', reference, keyId }, ports.clock.now(), ports.ids);
    const act = { workspaceId, action: 'balance.topped_up', target: change.entry.entryId } as const;
    const audit = auditEntry({ ...act, details: { amountKrw, reference } }, origin, ports);
    const outcome = await ports.ledger.topUp(change, audit, origin.actor.kind === 'system' ? 'payment' : 'owner');
    if (outcome.kind === 'conflict') return null;
    if (outcome.kind === 'posted') return { entry: change.entry, account: change.after, replayed: false };
    checkSame(outcome.entry, amountKrw);
    return { entry: outcome.entry, account: await accountOf(workspaceId, ports.accounts), replayed: true };
  });
}

/** As `topUp`, for a workspace that others than its own members name. @throws BalanceRefused, AccountBusy */
export async function topUpByOperator(payment: TopUp, ports: TopUpPorts): Promise<TopUpResult> {
  const { workspaceId } = payment;
  if ((await ports.accounts.find(workspaceId)) === null)
    throw new BalanceRefused('unknown_workspace', `There is no workspace ${JSON.stringify(workspaceId)}.`);
  return topUp(payment, ports);
}

function checkSame({ amountKrw: bookedKrw, reference }: LedgerEntry, amountKrw: number): void {
  if (bookedKrw === amountKrw) return;
  throw new BalanceRefused(
    'reference_reused',
    `The payment ${JSON.stringify(reference)} was booked with ${bookedKrw} KRW, not ${amountKrw}. Give another payment its own reference.`,
    { bookedKrw },
  );
}
