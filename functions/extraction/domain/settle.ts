import { type Account, accountOf } from '../../accounts/domain/account.ts';
import { budgetRefusal, exceededLimit, type Payer } from '../../accounts/domain/budgets.ts';
import { AccountBusy, type ChangePorts, changeAccount } from '../../accounts/domain/change-account.ts';
import { type DataSettings, dataSettingsOf, fetchableDays } from '../../accounts/domain/data-settings.ts';
import type { HeldFunds } from '../../accounts/domain/hold-funds.ts';
import { post } from '../../accounts/domain/posting.ts';
import { usageEvent } from '../../accounts/domain/usage.ts';
import type { Claim } from '../../shared/idempotency/idempotency-store.ts';
import { LeaseLost } from '../../shared/leases/lease.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { ExtractRefused } from './extract-refused.ts';
import type { ExtractionResult, JudgedPage } from './extraction.ts';
import { completedOutcome, type ImageLease } from './image-outcome.ts';
import type { Labels } from './labels.ts';
import { isCrowded } from './line/crowd.ts';
import type { SettlementLine, WaitingCompletion } from './line/settlement-line.ts';
import { storedReference } from './line/stored-reference.ts';
import { lineDeadlineMs, waitInLine } from './line/wait-in-line.ts';
import { CALL_PRICE_KRW, type Charge, chargePosting, priceCall } from './pricing/price-call.ts';
import { resultOf } from './result.ts';
import type { Completion, Settlements } from './settlement.ts';
import { originOf, type StoredExtraction } from './stored-extraction.ts';

export interface SettlePorts extends ChangePorts {
  readonly settlements: Settlements;
  /** Absent: no other service holds money. */
  readonly heldFunds?: Pick<HeldFunds, 'releaseExpired'>;
  readonly line: SettlementLine;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Called for each extraction that was stored, for metrics. */
  readonly onSettled?: (result: ExtractionResult) => void;
}

/** After this number of consecutive conflicts a settlement waits in line instead of retrying. */
const MAX_CONFLICTS = 3;

/** Result of an attempt on a crowded account. */
const IN_LINE = Symbol('in line');

/** The lease that a run must still hold at the charge: on its Idempotency-Key, or on its image of a batch. */
export type SettlementLease = Claim | ImageLease;

/** A page that was read and is to be paid for. */
export interface ReadPage {
  readonly extractionId: string;
  readonly page: JudgedPage;
  /** The account as it was before the reading. */
  readonly seen: Account;
  /** Null for a call without an Idempotency-Key. */
  readonly lease: SettlementLease | null;
  /** Epoch time after which the client has got another response, and must not be charged. */
  readonly deadlineMs: number;
  /** API key of the call; null: none. */
  readonly keyId: string | null;
  /** Application that the call is for; null or absent: none. */
  readonly applicationId?: string | null;
  /** Key of the image in the bucket of uploads; null: it is not there. */
  readonly uploadKey: string | null;
  /** Names that the caller gave to the image; absent: none. */
  readonly labels?: Labels | undefined;
}

/**
 * Stores the extraction and charges for it, once. The result, and with it the charge, rests on the account as it is at the
 * moment of the charge: when another change of the account comes first, both are computed again. Where that happens again and
 * again, the settlement is posted together with the others that meet it.
 * @throws ExtractRefused 'insufficient_balance' or 'budget_used_up' when other calls have spent the money meanwhile, AccountBusy, LeaseLost.
 *   Nothing is charged or stored then.
 */
export async function settle(read: ReadPage, ports: SettlePorts): Promise<ExtractionResult> {
  const { extractionId, page, seen, lease, deadlineMs, keyId, applicationId = null } = read;
  const attempt = async (account: Account): Promise<ExtractionResult | null> => {
    const nowMs = ports.clock.now();
    const charge = affordableCharge(account, read, nowMs, page.foundTable);
    if (nowMs >= deadlineMs) throw new Error(`The time of extraction ${extractionId} ran out before its settlement.`);
    const posting = chargePosting(charge, extractionId);
    const payment = posting && post(account, { ...posting, keyId, applicationId }, nowMs, ports.ids);
    const who = { workspaceId: account.workspaceId, service: 'extraction', keyId } as const;
    const cost = { krw: charge.krw, free: charge.krw === 0 };
    const result = resultOf(extractionId, page, { cost, balanceKrw: (payment?.after ?? account).balanceKrw });
    const { kind } = await ports.settlements.settle({
      workspaceId: account.workspaceId,
      extractionId,
      nowMs,
      payment,
      usage: usageEvent(who, { krw: charge.krw, pages: 1 }, nowMs),
      extraction: storedExtraction(read, account, nowMs),
      completion: lease && completionOf(lease, result, nowMs),
    });
    if (kind === 'lease_lost') throw new LeaseLost();
    if (kind !== 'settled') return null;
    ports.onSettled?.(result);
    return result;
  };
  const { workspaceId } = seen;
  // A free result has no version check that would catch a stale account: its `balanceKrw` is read anew.
  if (!page.foundTable) return changeAccount(workspaceId, ports, attempt);
  const { clock, onSettled } = ports;
  const result = await changeAccount<ExtractionResult | typeof IN_LINE>(
    workspaceId,
    ports,
    async (account) => (isCrowded(account, clock.now()) ? IN_LINE : attempt(account)),
    { known: seen, maxAttempts: MAX_CONFLICTS },
  ).catch(inLineWhereBusy);
  if (result !== IN_LINE) return result;
  const joinedAtMs = clock.now();
  const waiting = {
    extractionId,
    workspaceId,
    keyId,
    applicationId,
    completes: lease && completesOf(lease, page),
    keptDays: keptDays(dataSettingsOf(seen), lease),
    uploadKey: read.uploadKey,
    labels: read.labels,
    joinedAtMs,
    deadlineMs: lineDeadlineMs(joinedAtMs, deadlineMs),
  };
  const settled = await waitInLine(waiting, page, ports);
  // It was dropped, and an attempt finds out why.
  if (settled === null) return changeAccount(workspaceId, ports, attempt, { maxAttempts: MAX_CONFLICTS });
  const posted = resultOf(extractionId, page, settled);
  onSettled?.(posted);
  return posted;
}

function inLineWhereBusy(error: unknown): typeof IN_LINE {
  if (error instanceof AccountBusy) return IN_LINE;
  throw error;
}

function completesOf(lease: SettlementLease, page: JudgedPage): WaitingCompletion {
  if ('key' in lease) return { claim: lease };
  const { summary, foundTable, geometry } = page;
  return { lease, page: { summary, foundTable, geometry } };
}

/** The account before a page is read. Where money is short, what a crash of another service has left held is released. */
export async function fundedAccount(
  workspaceId: string,
  payer: Payer,
  { accounts, heldFunds, clock }: Pick<SettlePorts, 'accounts' | 'heldFunds' | 'clock'>,
): Promise<Account> {
  const account = await accountOf(workspaceId, accounts);
  if ((account.heldKrw ?? 0) === 0) return account;
  const charge = priceCall(account, true);
  const isShort = charge === null || exceededLimit(account.budgets, payer, charge.krw, clock.now())?.isHeld;
  if (!isShort || !(await heldFunds?.releaseExpired(workspaceId))) return account;
  return accountOf(workspaceId, accounts);
}

/** @throws ExtractRefused 'insufficient_balance', 'budget_used_up' */
export function affordableCharge(account: Account, payer: Payer, nowMs: number, foundTable: boolean): Charge {
  const charge = priceCall(account, foundTable);
  if (charge !== null) {
    const exceeded = exceededLimit(account.budgets, payer, charge.krw, nowMs);
    if (exceeded === null) return charge;
    const { message, details, retryAfterSeconds } = budgetRefusal(exceeded, nowMs);
    throw new ExtractRefused('budget_used_up', message, details, retryAfterSeconds);
  }
  const { balanceKrw, heldKrw = 0 } = account;
  const held = heldKrw > 0 ? ` (${heldKrw} KRW are held for work under way)` : '';
  throw new ExtractRefused(
    'insufficient_balance',
    `The balance of ${balanceKrw} KRW${held} does not cover a call of ${CALL_PRICE_KRW} KRW. Top up, then send the request again; nothing was charged.`,
    { balanceKrw, requiredKrw: CALL_PRICE_KRW },
  );
}

/** Days for which an extraction is kept; the result of a batch has to be fetched. */
function keptDays(settings: DataSettings, lease: SettlementLease | null): number {
  return lease !== null && 'jobId' in lease ? fetchableDays(settings) : settings.retentionDays;
}

/** Null where the workspace keeps no results. */
function storedExtraction(
  { extractionId, page, lease, uploadKey, labels }: ReadPage,
  account: Account,
  nowMs: number,
): StoredExtraction | null {
  const days = keptDays(dataSettingsOf(account), lease);
  if (days === 0) return null;
  return {
    extractionId,
    workspaceId: account.workspaceId,
    createdAt: new Date(nowMs).toISOString(),
    expiresAt: new Date(nowMs + days * 24 * 60 * 60_000).toISOString(),
    page,
    origin: originOf(lease, uploadKey, labels),
  };
}

function completionOf(lease: SettlementLease, result: ExtractionResult, nowMs: number): Completion {
  // Never the result itself: it is stored once, so that it can be deleted.
  if ('key' in lease) return { claim: lease, response: storedReference(result.requestId, result) };
  const outcome = completedOutcome(result.requestId, result, result.cost, new Date(nowMs).toISOString());
  return { lease, outcome };
}
