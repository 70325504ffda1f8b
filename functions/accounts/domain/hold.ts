import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { type Account, availableKrw, type LedgerEntry } from './account.ts';
import { holdBudgets, type Payer, withoutHolds } from './budgets.ts';
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

/** Part of a balance that is held for the price of one attempt at work. */
export interface Hold extends Omit<PaidWork, 'key'> {
  readonly holdId: string;
  /** Maximum price. */
  readonly amountKrw: number;
  /** Epoch time at which the attempt is not alive any more. */
  readonly untilMs: number;
  /** The same for all attempts at the work; null: it is never repeated. */
  readonly workId: string | null;
  /** Version of the account that the hold led to; absent: the hold is older than the holds of budgets. */
  readonly openedAt?: number;
}

/** Mark of work that was paid for, and may be repeated without a charge. */
export interface PaidMark extends Pick<Hold, 'workspaceId'> {
  readonly workId: string;
  /** The charge that it results from. */
  readonly holdId: string;
  /** Repetitions without a charge so far. */
  readonly repeats: number;
}

/** The start of a hold. */
export interface HoldOpening extends Pick<PostedChange, 'before' | 'after'> {
  readonly hold: Hold;
}

/** The end of a hold, with the charge; nothing of it is stored without the rest. */
export interface HoldEnd extends Pick<PostedChange, 'before' | 'after' | 'notices'> {
  readonly hold: Hold;
  /** Null: nothing is charged. */
  readonly entry: LedgerEntry | null;
  /** Usage to be counted with it. */
  readonly usage: UsageEvent | null;
  /** Stored with the charge; null: a repetition is paid for again. */
  readonly mark: PaidMark | null;
  readonly nowMs: number;
}

export type HoldEndOutcome =
  | 'ended'
  /** Another change of the account came first: compute again, from the account as it is then. */
  | 'conflict'
  /** The hold was released before: nothing is charged. */
  | 'lost';

export interface Holds {
  /** On the condition that the account has the version of `before`, and that the work has no mark that allows a repetition. */
  open(opening: HoldOpening): Promise<'open' | 'conflict' | { readonly paid: PaidMark }>;
  /** On the condition that the account has the version of `before`, and that there is the hold. */
  end(end: HoldEnd): Promise<HoldEndOutcome>;
  /** Counts a repetition of paid work. @returns false when another attempt came first. */
  repeat(mark: PaidMark): Promise<boolean>;
  /** All holds of a workspace. */
  openHolds(workspaceId: string): Promise<readonly Hold[]>;
}

/** Longer than any function runs. */
export const HOLD_MS = 30 * 60_000;
/** Repetitions of paid work without a charge: crashes come rarely, and clients must not be able to ask for them. */
export const MAX_REPEATS = 3;

export function openingOf(
  account: Account,
  hold: Omit<Hold, 'untilMs' | 'openedAt'>,
  { clock }: Pick<EndPorts, 'clock'>,
): HoldOpening {
  const openedAt = account.version + 1;
  const opened = { ...hold, openedAt, untilMs: clock.now() + HOLD_MS };
  return { before: account, after: { ...withHeld(account, opened, hold.amountKrw), version: openedAt }, hold: opened };
}

/** The account with more, or less, that is held of its balance and of the payer's budgets. */
function withHeld(account: Account, hold: Hold, krw: number): Account {
  const heldKrw = (account.heldKrw ?? 0) + krw;
  const budgets = heldKrw === 0 ? withoutHolds(account.budgets) : holdBudgets(account.budgets, hold, krw);
  return { ...account, heldKrw, ...(budgets && { budgets }) };
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
  const released = withHeld(account, hold, 0 - hold.amountKrw);
  const krw = Math.max(0, Math.min(work.priceKrw, availableKrw(released)));
  const usage = work.usage && { ...work.usage, amounts: { ...work.usage.amounts, ...(krw > 0 && { krw }) } };
  const { workspaceId, holdId, workId } = hold;
  const mark = workId && work.isWhole ? { workspaceId, workId, holdId, repeats: 0 } : null;
  const end = { hold, before: account, usage, mark, nowMs };
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
