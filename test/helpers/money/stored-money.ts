import type { Account, Accounts, LedgerEntry } from '../../../functions/accounts/domain/account.ts';
import {
  type Hold,
  type HoldEnd,
  type HoldEndOutcome,
  type HoldOpening,
  type Holds,
  MAX_REPEATS,
  type PaidMark,
} from '../../../functions/accounts/domain/hold.ts';

/** One account with its holds and ledger in memory, under the conditions of the real store. */
export class StoredMoney implements Accounts, Holds {
  account: Account;
  readonly entries: LedgerEntry[] = [];
  readonly holds = new Map<string, Hold>();
  readonly #marks = new Map<string, PaidMark>();
  readonly #turn: () => Promise<void>;

  constructor(account: Account, turn: () => Promise<void>) {
    this.account = account;
    this.#turn = turn;
  }

  async find(): Promise<Account> {
    await this.#turn();
    return this.account;
  }

  async open({ before, after, hold }: HoldOpening): ReturnType<Holds['open']> {
    await this.#turn();
    const mark = hold.workId === null ? undefined : this.#marks.get(hold.workId);
    if (mark && mark.repeats < MAX_REPEATS) return { paid: mark };
    if (this.account.version !== before.version) return 'conflict';
    this.account = after;
    this.holds.set(hold.holdId, hold);
    return 'open';
  }

  async end({ before, after, hold, entry, mark }: HoldEnd): Promise<HoldEndOutcome> {
    await this.#turn();
    if (!this.holds.has(hold.holdId)) return 'lost';
    if (this.account.version !== before.version) return 'conflict';
    this.account = after;
    this.holds.delete(hold.holdId);
    if (entry !== null) this.entries.push(entry);
    if (mark !== null) this.#marks.set(mark.workId, mark);
    return 'ended';
  }

  async repeat(mark: PaidMark): Promise<boolean> {
    await this.#turn();
    const found = this.#marks.get(mark.workId);
    if (found?.holdId !== mark.holdId || found.repeats !== mark.repeats) return false;
    this.#marks.set(mark.workId, { ...mark, repeats: mark.repeats + 1 });
    return true;
  }

  async openHolds(): Promise<readonly Hold[]> {
    await this.#turn();
    return [...this.holds.values()];
  }
}
