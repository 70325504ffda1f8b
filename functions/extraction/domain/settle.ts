import { type Account, type Accounts, accountOf } from '../../accounts/domain/account.ts';
import { type Booking, book } from '../../accounts/domain/posting.ts';
import type { Claim } from '../../shared/idempotency/idempotency-store.ts';
import type { Backoff } from '../../shared/ports/backoff.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { completedOutcome, type ImageLease } from './batch/job.ts';
import { ExtractRefused } from './extract-refused.ts';
import type { ExtractionResult, JudgedPage } from './extraction.ts';
import { applyCharge, CALL_PRICE_KRW, type Charge, priceCall } from './pricing/price-call.ts';
import type { Completion, Settlements } from './settlement.ts';
import { EXTRACTION_KEPT_DAYS, type StoredExtraction } from './stored-extraction.ts';

export interface SettlePorts {
  readonly accounts: Accounts;
  readonly settlements: Settlements;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly backoff: Backoff;
}

/** More than any of 200 calls that finish at once needs (`npm run bench:charges`); beyond that somebody is hammering. */
const MOST_ATTEMPTS = 25;

/**
 * Stores the extraction and charges for it, once. A change of the account in between only means computing again: the
 * result, and with it the charge, rests on the account as it is at the moment of the charge.
 * @param hold what the run must still hold at the charge: its Idempotency-Key, or its image of a batch. Null: nothing.
 * @param deadlineMs epoch time after which the caller has got another answer, and must not be charged.
 * @throws ExtractRefused 'insufficient_balance' when others have spent the money meanwhile, 'try_again' when the account
 *   is too busy. ClaimLost. Nothing is charged or stored then.
 */
export async function settle(
  extractionId: string,
  page: JudgedPage,
  seen: Account,
  hold: Claim | ImageLease | null,
  deadlineMs: number,
  ports: SettlePorts,
): Promise<ExtractionResult> {
  // What is not charged is not conditional on the account, whose balance would be told as it was before the reading.
  let account = page.foundTable ? seen : await accountOf(seen.workspaceId, ports.accounts);
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const charge = affordableCharge(account, page.foundTable);
    const now = ports.clock.now();
    if (now >= deadlineMs) throw new Error(`The time of extraction ${extractionId} ran out before its settlement.`);
    const payment = charge.kind === 'none' ? null : paymentOf(account, charge, extractionId, now, ports.ids);
    const result = resultOf(extractionId, page, charge, (payment?.after ?? account).balanceKrw);
    const outcome = await ports.settlements.settle({
      payment,
      extraction: storedExtraction(extractionId, account.workspaceId, page, now),
      completion: hold && completionOf(hold, result, now),
    });
    if (outcome.kind === 'settled') return result;
    if (outcome.kind === 'claim_lost') throw new ClaimLost();
    await ports.backoff.wait(attempt);
    // Read after the wait, not before: the fresher the account, the likelier it is still the same at the charge.
    account = await accountOf(account.workspaceId, ports.accounts);
  }
  throw new ExtractRefused(
    'try_again',
    'Too many calls of this workspace end at the same moment. Nothing was charged: send the request again.',
  );
}

/** The run was taken for dead and another one holds its key or image: that one answers, and is charged. */
export class ClaimLost extends Error {
  override name = 'ClaimLost';
}

/** @throws ExtractRefused 'insufficient_balance' */
export function affordableCharge(account: Account, foundTable: boolean): Charge {
  const charge = priceCall(account, foundTable);
  if (charge !== null) return charge;
  const { balanceKrw } = account;
  throw new ExtractRefused(
    'insufficient_balance',
    `The balance of ${balanceKrw} KRW does not cover a call of ${CALL_PRICE_KRW} KRW. Top up, then send the request again; nothing was charged.`,
    { balanceKrw, requiredKrw: CALL_PRICE_KRW },
  );
}

function paymentOf(before: Account, charge: Charge, extractionId: string, nowMs: number, ids: Ids): Booking {
  return book(before, { funds: applyCharge(before, charge), kind: 'extraction', reference: extractionId }, nowMs, ids);
}

function storedExtraction(
  extractionId: string,
  workspaceId: string,
  page: JudgedPage,
  nowMs: number,
): StoredExtraction {
  const expiresAtMs = nowMs + EXTRACTION_KEPT_DAYS * 24 * 60 * 60_000;
  return {
    extractionId,
    workspaceId,
    createdAt: new Date(nowMs).toISOString(),
    expiresAt: new Date(expiresAtMs).toISOString(),
    page,
  };
}

function completionOf(hold: Claim | ImageLease, result: ExtractionResult, nowMs: number): Completion {
  if ('key' in hold) return { claim: hold, response: JSON.stringify(result) };
  const outcome = completedOutcome(result.requestId, result, result.cost, new Date(nowMs).toISOString());
  return { lease: hold, outcome };
}

function resultOf(requestId: string, page: JudgedPage, charge: Charge, balanceKrw: number): ExtractionResult {
  const { documentType, foundTable, items, summary, geometry, meta } = page;
  const cost = { krw: charge.krw, free: charge.krw === 0 };
  return { requestId, documentType, foundTable, items, summary, geometry, meta, cost, balanceKrw };
}
