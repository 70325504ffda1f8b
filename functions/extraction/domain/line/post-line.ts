import { type Accounts, accountOf } from '../../../accounts/domain/account.ts';
import type { Backoff } from '../../../shared/ports/backoff.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { Ids } from '../../../shared/ports/ids.ts';
import { combine, MAX_COMBINED } from './combine.ts';
import { unmarkedCrowd } from './crowd.ts';
import type { SettlementLine, Turn } from './settlement-line.ts';

export interface PostLinePorts {
  readonly accounts: Accounts;
  readonly line: SettlementLine;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly backoff: Backoff;
}

/** More than a turn has time for. */
const MAX_ROUNDS = 100;
/** A posting that meets others takes up fewer settlements the next time, down to this. */
const MIN_COMBINED = 6;

/** Posts what waits, from the first of the line on, until none does or the turn is over. */
export async function postLine({ workspaceId, untilMs }: Turn, ports: PostLinePorts): Promise<void> {
  const { accounts, line, clock, ids, backoff } = ports;
  let limit = MAX_COMBINED;
  for (let round = 1; round <= MAX_ROUNDS && clock.now() < untilMs; round++) {
    const [account, first] = await Promise.all([accountOf(workspaceId, accounts), line.first(workspaceId, limit)]);
    if (first.length === 0) return;
    const nowMs = clock.now();
    const crowd = unmarkedCrowd(account, first, nowMs);
    if (crowd !== null) await line.markCrowded(workspaceId, crowd);
    const { posting, hopeless } = combine(account, first, nowMs, ids);
    const outcome = posting && (await line.post(posting));
    // The account may cover more by now: after any change, decide again which settlements it cannot cover.
    if (outcome?.kind === 'conflict') {
      limit = Math.max(MIN_COMBINED, limit >> 1);
      await backoff.wait(1);
    } else if (outcome?.kind === 'refused') await line.drop(outcome.refused);
    else {
      limit = Math.min(MAX_COMBINED, limit * 2);
      const posted = posting?.settlements.map(({ waiting }) => waiting) ?? [];
      await Promise.all([line.clear(posted), line.drop(hopeless)]);
    }
  }
}
