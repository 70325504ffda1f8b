import type { Account, Crowd } from '../../../accounts/domain/account.ts';
import type { WaitingSettlement } from './settlement-line.ts';

/** From this number of concurrent calls on, the account counts as crowded: further calls need not find out by conflicts. */
const MIN_CROWD = 4;
const CROWDED_FOR_MS = 10_000;
/** A line that takes longer grows faster than it is posted: calls that have not started yet are refused until it is shorter. */
const MAX_WAITED_MS = 3_000;
const OVERRUN_FOR_MS = 2_000;

type Crowded = Pick<Account, 'crowd'>;

/** True when settlements of the account were posted together a moment ago. */
export function isCrowded({ crowd }: Crowded, nowMs: number): boolean {
  return crowd !== undefined && nowMs - crowd.atMs < CROWDED_FOR_MS;
}

/** True when more calls of the account end than can be charged. */
export function isOverrun({ crowd }: Crowded, nowMs: number): boolean {
  return crowd !== undefined && crowd.waitedMs > MAX_WAITED_MS && nowMs - crowd.atMs < OVERRUN_FOR_MS;
}

/** The crowd that those who wait are; null for a few. */
export function crowdOf(waiting: readonly WaitingSettlement[], nowMs: number): Crowd | null {
  if (waiting.length < MIN_CROWD) return null;
  return { atMs: nowMs, waitedMs: nowMs - Math.min(...waiting.map(({ joinedAtMs }) => joinedAtMs)) };
}

/** The crowd that the account says nothing of yet: it must not wait for a posting to say it, which it may be in the way of. */
export function unmarkedCrowd(account: Account, waiting: readonly WaitingSettlement[], nowMs: number): Crowd | null {
  const crowd = crowdOf(waiting, nowMs);
  if (crowd === null) return null;
  const isNews = !isCrowded(account, nowMs) || (isOverrun({ crowd }, nowMs) && !isOverrun(account, nowMs));
  return isNews ? crowd : null;
}
