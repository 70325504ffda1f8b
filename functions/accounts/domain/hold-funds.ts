import { createHash } from 'node:crypto';
import { type Account, accountOf, availableKrw } from './account.ts';
import { exceededLimit } from './budgets.ts';
import { type ChangePorts, changeAccount } from './change-account.ts';
import { budgetUsedUp, type FundsRefused, insufficientBalance } from './funds-refused.ts';
import {
  type EndPorts,
  endOf,
  type Hold,
  type HoldEnd,
  type HoldEndOutcome,
  type Holds,
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
   * Charges the price; a hold that was released meanwhile is opened again for it, with what the balance still covers.
   * @param store stores the end together with the result of the work; by default the end alone.
   */
  charge(work: WorkEnd, store?: EndStore): Promise<'ended' | 'gone'>;
  /** Charges nothing. Never fails. */
  release(): Promise<void>;
}

/** Outcome of storing the end of a hold: 'gone' when the record of the work is another attempt's, or was removed. */
export type StoredEnd = HoldEndOutcome | 'gone';
export type EndStore = (end: HoldEnd) => Promise<StoredEnd>;

/**
 * Prices that are known only at the end of the work. The maximum is held before the work starts, so that a balance never goes below
 * zero; the price is charged when the work has ended. A crash between the two charges nothing, and the hold ends with its time.
 */
export class HeldFunds {
  readonly #ports: FundsPorts;

  constructor(ports: FundsPorts) {
    this.#ports = ports;
  }

  /** @throws FundsRefused when the balance or a budget does not cover `maxKrw` now; nothing is held. */
  async require(work: Omit<PaidWork, 'reference'>, maxKrw: number): Promise<void> {
    let account = await accountOf(work.workspaceId, this.#ports.accounts);
    if (this.#refusalOf(account, work, maxKrw) !== null && (await this.releaseExpired(work.workspaceId)))
      account = await accountOf(work.workspaceId, this.#ports.accounts);
    const refusal = this.#refusalOf(account, work, maxKrw);
    if (refusal !== null) throw refusal;
  }

  /**
   * Holds the maximum price of work.
   * @returns null when an earlier attempt at the work has paid for it.
   * @throws FundsRefused, AccountBusy; nothing is held then.
   */
  async hold(work: PaidWork, maxKrw: number): Promise<HeldMoney | null> {
    const { holds, ids } = this.#ports;
    const { key, ...paid } = work;
    const { workspaceId } = paid;
    const workId = key === undefined ? null : createHash('sha256').update(key).digest('hex');
    let isExpiredReleased = false;
    const hold = await changeAccount<Hold | 'paid'>(workspaceId, this.#ports, async (account) => {
      const refusal = this.#refusalOf(account, work, maxKrw);
      if (refusal !== null) {
        if (isExpiredReleased || !(await this.releaseExpired(workspaceId))) throw refusal;
        isExpiredReleased = true;
        return null;
      }
      const opening = openingOf(account, { ...paid, holdId: ids.next('hold'), workId, amountKrw: maxKrw }, this.#ports);
      const outcome = await holds.open(opening);
      if (outcome === 'open') return opening.hold;
      return outcome !== 'conflict' && (await holds.repeat(outcome.paid)) ? 'paid' : null;
    });
    return hold === 'paid' ? null : this.#held(hold);
  }

  #refusalOf(account: Account, work: Omit<PaidWork, 'reference'>, maxKrw: number): FundsRefused | null {
    const nowMs = this.#ports.clock.now();
    if (availableKrw(account) < maxKrw) return insufficientBalance(account, maxKrw, WHAT[work.kind]);
    const exceeded = exceededLimit(account.budgets, work, maxKrw, nowMs);
    return exceeded && budgetUsedUp(exceeded, nowMs);
  }

  #held(hold: Hold): HeldMoney {
    const { onUnreleased } = this.#ports;
    return {
      charge: (work, store) => this.#charge(hold, work, store),
      release: () =>
        this.#end(hold, NOTHING_DONE).then(
          () => undefined,
          (error: unknown) => onUnreleased(hold.holdId, error),
        ),
    };
  }

  async #charge(hold: Hold, work: WorkEnd, store?: EndStore): Promise<'ended' | 'gone'> {
    const outcome = await this.#end(hold, work, store);
    if (outcome !== 'lost') return outcome;
    const { holds, ids } = this.#ports;
    // Without a maximum: work that is done cannot be refused any more.
    const again = { ...hold, holdId: ids.next('hold'), workId: null, amountKrw: 0 };
    const reopened = await changeAccount(hold.workspaceId, this.#ports, async (account) => {
      const opening = openingOf(account, again, this.#ports);
      return (await holds.open(opening)) === 'open' ? opening.hold : null;
    });
    return this.#charge(reopened, work, store);
  }

  #end(
    hold: Hold,
    work: WorkEnd,
    store: EndStore = (end) => this.#ports.holds.end(end),
  ): Promise<Exclude<StoredEnd, 'conflict'>> {
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
