import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { type Account, availableKrw, type LedgerEntry } from './account.ts';
import type { Payer } from './budgets.ts';
import { type PostedChange, post } from './posting.ts';
import type { UsageEvent } from './usage.ts';

/** Work whose price is known only at its end. */
export interface PaidWork extends Payer {
  readonly workspaceId: string;
  readonly kind: Extract<LedgerEntry['kind'], 'chat' | 'sandbox'>;
  /** The answer, run or execution that the ledger entry names. */
  readonly reference: string;
  /** The same for work that is repeated after a crash, so that it is paid for once; absent: it is never repeated. */
  readonly key?: string;
}

/** Part of a balance that is held for the price of work under way. */
export interface Hold extends Omit<PaidWork, 'key'> {
  readonly holdId: string;
  /** Maximum price; 0 once the work is paid for. */
  readonly amountKrw: number;
  /** Changes with each attempt at the work: only the last one can end the hold. */
  readonly fence: string;
  /** Epoch time at which no attempt is alive any more. */
  readonly untilMs: number;
  /** True for work with a key. */
  readonly isRepeatable: boolean;
  /** True when the work was paid for, and may be repeated without a charge. */
  readonly isPaid: boolean;
  /** Repetitions without a charge so far. */
  readonly repeats: number;
}

/** The beginning of a hold. */
export interface HoldOpening extends Pick<PostedChange, 'before' | 'after'> {
  readonly hold: Hold;
  /** Hold of an earlier attempt at the same work, which it replaces. */
  readonly replaced: Hold | null;
}

/** The end of a hold, with the charge; nothing of it is stored without the rest. */
export interface HoldEnd extends Pick<PostedChange, 'before' | 'after' | 'notices'> {
  readonly hold: Hold;
  /** Null: nothing is charged. */
  readonly entry: LedgerEntry | null;
  /** Usage to be counted with it. */
  readonly usage: UsageEvent | null;
  /** True when the hold is kept, so that a repetition of the work finds it paid. */
  readonly isKept: boolean;
  readonly nowMs: number;
}

export type HoldEndOutcome =
  | 'ended'
  /** Another change of the account came first: compute again, from the account as it is then. */
  | 'conflict'
  /** Another attempt has the hold, or it was released: nothing is charged. */
  | 'lost';

export interface Holds {
  /** On the condition that the account has the version of `before`, and that there is no hold of this id but `replaced`. */
  open(opening: HoldOpening): Promise<'open' | 'conflict' | { readonly found: Hold }>;
  /** On the condition that the account has the version of `before`, and that the hold has its fence. */
  end(end: HoldEnd): Promise<HoldEndOutcome>;
  /** Counts a repetition of paid work. @returns false when another attempt came first. */
  repeat(hold: Hold): Promise<boolean>;
  /** All holds of a workspace that are not paid. */
  openHolds(workspaceId: string): Promise<readonly Hold[]>;
}

/** Longer than any function runs. */
export const HOLD_MS = 30 * 60_000;
/** Repetitions of paid work without a charge: crashes come rarely, and clients must not be able to ask for them. */
export const MAX_REPEATS = 3;

export function openingOf(
  account: Account,
  hold: Pick<Hold, Exclude<keyof PaidWork, 'key'> | 'holdId' | 'amountKrw' | 'isRepeatable'>,
  replaced: Hold | null,
  { clock, ids }: EndPorts,
): HoldOpening {
  const heldKrw = (account.heldKrw ?? 0) + hold.amountKrw - (replaced?.amountKrw ?? 0);
  return {
    before: account,
    after: { ...account, heldKrw, version: account.version + 1 },
    hold: { ...hold, fence: ids.next('fence'), untilMs: clock.now() + HOLD_MS, isPaid: false, repeats: 0 },
    replaced,
  };
}

/** Price and usage of work that has ended. */
export interface WorkEnd {
  readonly priceKrw: number;
  /** Counted with the charge, whose amount is added to it; null: nothing. */
  readonly usage: UsageEvent | null;
  /** False for work that its caller has ended early: a repetition is paid for again. */
  readonly isWhole: boolean;
}

/** Nothing is charged for work that was not done. */
export const NOTHING_DONE: WorkEnd = { priceKrw: 0, usage: null, isWhole: false };

/** Ends a hold with the price of the work, or with as much of it as the balance covers. */
export function endOf(account: Account, hold: Hold, work: WorkEnd, { clock, ids }: EndPorts): HoldEnd {
  const nowMs = clock.now();
  const released = { ...account, heldKrw: (account.heldKrw ?? 0) - hold.amountKrw };
  const krw = Math.max(0, Math.min(work.priceKrw, availableKrw(released)));
  const usage = work.usage && { ...work.usage, amounts: { ...work.usage.amounts, ...(krw > 0 && { krw }) } };
  const end = { hold, before: account, usage, isKept: hold.isRepeatable && work.isWhole, nowMs };
  if (krw === 0) return { ...end, after: { ...released, version: account.version + 1 }, entry: null, notices: [] };
  const { kind, reference, keyId, applicationId = null } = hold;
  const posting = { amountKrw: 0 - krw, kind, reference, keyId, applicationId };
  const { after, entry, notices } = post(released, posting, nowMs, ids);
  return { ...end, after, entry, notices };
}

export interface EndPorts {
  readonly clock: Clock;
  readonly ids: Ids;
}
