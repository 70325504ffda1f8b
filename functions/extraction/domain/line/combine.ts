import type { Account } from '../../../accounts/domain/account.ts';
import { exceededLimit } from '../../../accounts/domain/budgets.ts';
import { type ChargeNotice, post } from '../../../accounts/domain/posting.ts';
import { mergedUsage, type UsageEvent, usageEvent } from '../../../accounts/domain/usage.ts';
import type { Ids } from '../../../shared/ports/ids.ts';
import { completedOutcome } from '../image-outcome.ts';
import { chargePosting, priceCall } from '../pricing/price-call.ts';
import type { Completion } from '../settlement.ts';
import { crowdOf } from './crowd.ts';
import type {
  CombinedPosting,
  CombinedSettlement,
  SettledCharge,
  WaitingCompletion,
  WaitingSettlement,
} from './settlement-line.ts';
import { storedReference } from './stored-reference.ts';

/** Limit of a transaction. */
const MAX_WRITES = 100;
/** The account, and the notice that its balance is low: once it is, further charges send no other. */
const SHARED_WRITES = 2;

/** Maximum number of settlements in a transaction: each has an entry and a state. */
export const MAX_COMBINED = (MAX_WRITES - SHARED_WRITES - 1) >> 1;

export interface Combined {
  /** Null when none of them can be posted. */
  readonly posting: CombinedPosting | null;
  /** Those whose time has passed, and those that the balance or a budget does not cover. */
  readonly hopeless: readonly WaitingSettlement[];
}

/**
 * Computes the posting of the first settlements of a line: one after another, each on the account left by the previous one, as many as a
 * transaction takes.
 */
export function combine(before: Account, line: readonly WaitingSettlement[], nowMs: number, ids: Ids): Combined {
  const settlements: CombinedSettlement[] = [];
  const hopeless: WaitingSettlement[] = [];
  let usage: readonly UsageEvent[] = [];
  let account = before;
  let notices: readonly ChargeNotice[] = [];
  let writes = SHARED_WRITES;
  const completed = new Set<string>();
  for (const waiting of line) {
    const { extractionId, workspaceId, keyId, applicationId = null, completes, deadlineMs } = waiting;
    const charge = deadlineMs <= nowMs ? null : priceCall(account, true);
    const posting = charge && chargePosting(charge, extractionId);
    const payer = { keyId, applicationId };
    if (charge === null || posting === null || exceededLimit(account.budgets, payer, charge.krw, nowMs) !== null) {
      hopeless.push(waiting);
      continue;
    }
    // Two for one key: of one that failed and of its successor. Only one of them holds it, which its own posting shows.
    const name = completes && nameOf(completes);
    if (name !== null && completed.has(name)) continue;
    const who = { workspaceId, service: 'extraction', keyId } as const;
    const counted = mergedUsage([...usage, usageEvent(who, { krw: charge.krw, pages: 1 }, nowMs)]);
    const change = post(account, { ...posting, ...payer }, nowMs, ids);
    const noticed = [...notices, ...change.notices];
    writes += completes === null ? 2 : 3;
    if (writes + Math.max(0, noticed.length - 1) + counted.length > MAX_WRITES) break;
    if (name !== null) completed.add(name);
    usage = counted;
    account = change.after;
    notices = noticed;
    const settled = {
      cost: { krw: charge.krw, free: charge.krw === 0 },
      balanceKrw: account.balanceKrw,
    };
    settlements.push({
      ...settled,
      waiting,
      entry: change.entry,
      completion: completes && completionOf(waiting, completes, settled, nowMs),
    });
  }
  if (settlements.length === 0) return { posting: null, hopeless };
  const crowd = crowdOf(
    settlements.map(({ waiting }) => waiting),
    nowMs,
  );
  const after = crowd === null ? account : { ...account, crowd };
  return { posting: { before, after, settlements, notices, usage, nowMs }, hopeless };
}

/** Key of the completed record; a transaction can write each record once. */
function nameOf(completes: WaitingCompletion): string {
  if ('claim' in completes) return JSON.stringify([completes.claim.path, completes.claim.key]);
  const { jobId, index } = completes.lease;
  return JSON.stringify([jobId, index]);
}

function completionOf(
  { extractionId }: WaitingSettlement,
  completes: WaitingCompletion,
  settled: SettledCharge,
  nowMs: number,
): Completion {
  if ('claim' in completes) return { claim: completes.claim, response: storedReference(extractionId, settled) };
  const { lease, page } = completes;
  return { lease, outcome: completedOutcome(extractionId, page, settled.cost, new Date(nowMs).toISOString()) };
}
