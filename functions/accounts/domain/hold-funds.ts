import { createHash } from 'node:crypto';
import { type Account, accountOf, availableKrw } from './account.ts';
import { exceededLimit } from './budgets.ts';
import { type ChangePorts, changeAccount } from './change-account.ts';
import { budgetUsedUp, insufficientBalance } from './funds-refused.ts';
import {
  type EndPorts,
  endOf,
  type Hold,
  type HoldEnd,
  type HoldEndOutcome,
  type Holds,
  MAX_REPEATS,
  NOTHING_DONE,
  openingOf,
  type PaidWork,
  type WorkEnd,
} from './hold.ts';

export interface FundsPorts extends ChangePorts, EndPorts {
  readonly holds: Holds;
  /** Called when a hold could not be released: it is released when the money is wanted, after its time. */
  readonly onUnreleased: (holdId: string, error: unknown) => void;
}

/** Money that is held for work under way. It is ended once, one way or the other. */
export interface HeldMoney {
  /**
   * Charges the price.
   * @param store stores the end together with the result of the work; by default the end alone.
   */
  charge(work: WorkEnd, store?: EndStore): Promise<Exclude<HoldEndOutcome, 'conflict'>>;
  /** Charges nothing. Never fails. */
  release(): Promise<void>;
}

export type EndStore = (end: HoldEnd) => Promise<HoldEndOutcome>;

/**
 * Prices that are known only at the end of the work. The maximum is held before the work begins, so that a balance never goes below
 * zero; the price is charged when the work has ended. A crash between the two charges nothing, and the hold ends with its time.
 */
export class HeldFunds {
  readonly #ports: FundsPorts;

  constructor(ports: FundsPorts) {
    this.#ports = ports;
  }

  /** @throws FundsRefused when the balance or a budget does not cover `maxKrw` now; nothing is held. */
  async require(work: Omit<PaidWork, 'reference'>, maxKrw: number): Promise<void> {
    const { accounts, clock } = this.#ports;
    let account = await accountOf(work.workspaceId, accounts);
    if (availableKrw(account) < maxKrw && (await this.releaseExpired(work.workspaceId)))
      account = await accountOf(work.workspaceId, accounts);
    if (availableKrw(account) < maxKrw) throw insufficientBalance(account, maxKrw, WHAT[work.kind]);
    const exceeded = exceededLimit(account.budgets, work, maxKrw, clock.now());
    if (exceeded !== null) throw budgetUsedUp(exceeded, clock.now());
  }

  /**
   * Holds the maximum price of work.
   * @returns null when an earlier attempt at the work has paid for it.
   * @throws FundsRefused, AccountBusy; nothing is held then.
   */
  async hold(work: PaidWork, maxKrw: number): Promise<HeldMoney | null> {
    const { clock, holds, ids } = this.#ports;
    const { key, ...paid } = work;
    const { workspaceId } = paid;
    const isRepeatable = key !== undefined;
    const holdId = isRepeatable ? createHash('sha256').update(key).digest('hex') : ids.next('hold');
    let earlier: Hold | null = null;
    let isExpiredReleased = false;
    const hold = await changeAccount<Hold | 'paid'>(workspaceId, this.#ports, async (account) => {
      if (availableKrw(account) + (earlier?.amountKrw ?? 0) < maxKrw) {
        if (isExpiredReleased || !(await this.releaseExpired(workspaceId)))
          throw insufficientBalance(account, maxKrw, WHAT[work.kind]);
        isExpiredReleased = true;
        earlier = null;
        return null;
      }
      const exceeded = exceededLimit(account.budgets, work, maxKrw, clock.now());
      if (exceeded !== null) throw budgetUsedUp(exceeded, clock.now());
      const opening = openingOf(account, { ...paid, holdId, isRepeatable, amountKrw: maxKrw }, earlier, this.#ports);
      const outcome = await holds.open(opening);
      if (outcome === 'open') return opening.hold;
      if (outcome === 'conflict') return null;
      earlier = outcome.found;
      if (earlier.isPaid && earlier.repeats < MAX_REPEATS && (await holds.repeat(earlier))) return 'paid';
      return null;
    });
    return hold === 'paid' ? null : this.#held(hold);
  }

  #held(hold: Hold): HeldMoney {
    const { onUnreleased } = this.#ports;
    return {
      charge: (work, store) => this.#end(hold, work, store),
      release: () =>
        this.#end(hold, NOTHING_DONE).then(
          () => undefined,
          (error: unknown) => onUnreleased(hold.holdId, error),
        ),
    };
  }

  #end(
    hold: Hold,
    work: WorkEnd,
    store: EndStore = (end) => this.#ports.holds.end(end),
  ): Promise<Exclude<HoldEndOutcome, 'conflict'>> {
    const attempt = async (account: Account) => {
      const outcome = await store(endOf(account, hold, work, this.#ports));
      return outcome === 'conflict' ? null : outcome;
    };
    return changeAccount(hold.workspaceId, this.#ports, attempt, { maxAttempts: MAX_END_ATTEMPTS });
  }

  /** Ends holds whose work has died. @returns whether there were any. */
  async releaseExpired(workspaceId: string): Promise<boolean> {
    const { holds, clock } = this.#ports;
    const open = await holds.openHolds(workspaceId);
    const expired = open.filter(({ untilMs }) => untilMs <= clock.now());
    for (const hold of expired) await this.#end(hold, NOTHING_DONE);
    return expired.length > 0;
  }
}

/** The work is done: giving up would make it free, which a client could bring about by many other changes. */
const MAX_END_ATTEMPTS = 60;
const WHAT = { chat: 'an answer', sandbox: 'the program' } as const;
