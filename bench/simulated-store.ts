import type { Account, Accounts, LedgerEntry } from '../functions/accounts/domain/account.ts';
import type { Ledger } from '../functions/accounts/domain/ledger.ts';
import type { PostedChange } from '../functions/accounts/domain/posting.ts';
import type {
  CombinedPosting,
  PostingOutcome,
  SettledCharge,
  SettlementLine,
  Turn,
  WaitingSettlement,
} from '../functions/extraction/domain/line/settlement-line.ts';
import type { Settlements } from '../functions/extraction/domain/settlement.ts';
import { Contention } from '../functions/shared/contention.ts';
import type { Random } from './corpus/random.ts';
import type { VirtualTime } from './virtual-time.ts';

/** How DynamoDB behaves, for one workspace. */
export interface StoreModel {
  /** A read or a write of one item, and a transaction of five writes, as a function sees them; each varies by a quarter. */
  readonly singleMs: number;
  readonly transactionMs: number;
  /** Time added by each further write of a transaction. */
  readonly furtherWriteMs: number;
  /** Of a transaction of five writes, the time from its check of the conditions to its commit, in which it refuses others. */
  readonly holdMs: number;
  /** Units that a partition takes a second. */
  readonly writesPerSecond: number;
  readonly readsPerSecond: number;
}

/** Of an extraction in the partition that it shares with the workspace's others: two kilobytes, in a transaction. */
const EXTRACTION_UNITS = 4;
/** An item of up to a kilobyte. */
const WRITE = 1;
const TRANSACTED = 2 * WRITE;
const USUAL_WRITES = 5;
/** Of a place in the line, to count what reading it takes. */
const PLACE_KB = 0.4;
const WRITES_PER_BATCH = 25;
/** As the SDK does it. */
const MAX_TRIES = 4;

type Partition = 'accounts' | 'extractions' | 'line' | 'lineReads' | 'turn' | 'turnReads';
type Spent = Partial<Record<Partition, number>>;

/** An account, its ledger and its line. Partitions without a name here have an extraction each, and are never hot. */
export class SimulatedStore {
  account: Account;
  readonly entries: LedgerEntry[] = [];
  /** The longest that the line has been. */
  longest = 0;
  /** Sizes of the combined postings. */
  readonly combined: number[] = [];
  readonly #time: VirtualTime;
  readonly #random: Random;
  readonly #model: StoreModel;
  readonly #units: Readonly<Record<Partition, Units>>;
  readonly #line = new Map<string, WaitingSettlement>();
  readonly #states = new Map<string, 'waiting' | 'gone' | SettledCharge>();
  readonly #held = new Set<string>();
  #accountHeldUntilMs = Number.NEGATIVE_INFINITY;
  #turn: Turn | null = null;

  constructor(account: Account, model: StoreModel, time: VirtualTime, random: Random) {
    this.account = account;
    this.#model = model;
    this.#time = time;
    this.#random = random;
    const writes = () => new Units(model.writesPerSecond, time);
    const reads = () => new Units(model.readsPerSecond, time);
    this.#units = {
      accounts: writes(),
      extractions: writes(),
      line: writes(),
      lineReads: reads(),
      turn: writes(),
      turnReads: reads(),
    };
  }

  readonly accounts: Accounts = {
    find: () => this.#single(() => this.account),
  };

  settlements(onAttempt: () => void): Settlements {
    return {
      settle: async ({ payment }) => {
        onAttempt();
        const units = { accounts: 2 * TRANSACTED, extractions: EXTRACTION_UNITS };
        return { kind: (await this.#change(payment!, units)) ? 'settled' : 'conflict' };
      },
    };
  }

  readonly ledger: Pick<Ledger, 'topUp'> = {
    topUp: async (change) => ({
      kind: (await this.#change(change, { accounts: 3 * TRANSACTED })) ? 'posted' : 'conflict',
    }),
  };

  readonly line: SettlementLine = {
    join: async (waiting) => {
      await this.#single(() => this.#states.set(waiting.extractionId, 'waiting'));
      await this.#spending('line', WRITE);
      await this.#single(() => this.#line.set(waiting.extractionId, waiting));
      this.longest = Math.max(this.longest, this.#line.size);
    },
    state: async ({ extractionId }) => {
      const state = await this.#single(() => this.#states.get(extractionId));
      if (state === 'waiting') return { kind: 'waiting' };
      return state === undefined || state === 'gone' ? { kind: 'gone' } : { kind: 'settled', ...state };
    },
    drop: async (some) => {
      await Promise.all(some.map(({ extractionId }) => this.#drop(extractionId)));
      await this.line.clear(some);
    },
    clear: async (some) => {
      for (let n = 0; n < some.length; n += WRITES_PER_BATCH) {
        const batch = some.slice(n, n + WRITES_PER_BATCH);
        // What a partition does not take of a batch is sent again.
        for (let left = batch.length; left > 0; ) {
          if (this.#units.line.spend(WRITE)) left -= 1;
          else await this.#time.sleep(this.#random.between(5, 50));
        }
        await this.#single(() => {
          for (const { extractionId } of batch) this.#line.delete(extractionId);
        });
      }
    },
    first: async (_, limit) => {
      // Ids are numbers here, in the order in which the calls started.
      const found = await this.#single(() =>
        [...this.#line.values()].sort((a, b) => Number(a.extractionId) - Number(b.extractionId)).slice(0, limit),
      );
      await this.#spending('lineReads', Math.ceil((found.length * PLACE_KB) / 4));
      return found;
    },
    post: (posting) => this.#post(posting),
    markCrowded: async (_, crowd) => {
      await this.#spending('accounts', WRITE);
      await this.#single(() => {
        this.account = { ...this.account, crowd };
      });
    },
    takeTurn: async (turn, nowMs) => {
      const isThrottled = await this.#spending('turnReads', 0.5).then(
        () => false,
        () => true,
      );
      if (isThrottled) return false;
      const seen = await this.#single(() => this.#turn);
      if (seen !== null && seen.untilMs > nowMs) return false;
      await this.#spending('turn', WRITE);
      return this.#single(() => {
        if (this.#turn !== null && this.#turn.untilMs > nowMs) return false;
        this.#turn = turn;
        return true;
      });
    },
    endTurn: async ({ holder }) => {
      await this.#spending('turn', WRITE);
      await this.#single(() => {
        if (this.#turn?.holder === holder) this.#turn = null;
      });
    },
  };

  async #change({ before, after, entry }: PostedChange, units: Spent): Promise<boolean> {
    const check = () => (before.version === this.account.version ? 'ready' : 'conflict');
    const outcome = await this.#transaction(USUAL_WRITES, units, check, () => {
      this.account = after;
      this.entries.push(entry);
    });
    return outcome === 'ready';
  }

  async #post({ before, after, settlements, usage }: CombinedPosting): Promise<PostingOutcome> {
    const ids = settlements.map(({ waiting }) => waiting.extractionId);
    const isWaiting = (id: string) => this.#states.get(id) === 'waiting';
    const check = () => {
      if (!ids.every(isWaiting)) return 'refused';
      if (before.version !== this.account.version) return 'conflict';
      for (const id of ids) this.#held.add(id);
      return 'ready';
    };
    const units = { accounts: TRANSACTED * (1 + ids.length) };
    const outcome = await this.#transaction(1 + 2 * ids.length + usage.length, units, check, () => {
      this.account = after;
      this.combined.push(ids.length);
      for (const { waiting, entry, cost, balanceKrw } of settlements) {
        this.entries.push(entry);
        this.#states.set(waiting.extractionId, { cost, balanceKrw });
        this.#held.delete(waiting.extractionId);
      }
    });
    if (outcome === 'ready') return { kind: 'posted' };
    if (outcome === 'conflict') return { kind: 'conflict' };
    const waiting = settlements.map((settlement) => settlement.waiting);
    return { kind: 'refused', refused: waiting.filter(({ extractionId }) => !isWaiting(extractionId)) };
  }

  /** A write that meets a transaction is repeated by the SDK. */
  async #drop(extractionId: string): Promise<void> {
    while (this.#held.has(extractionId)) await this.#time.sleep(this.#random.between(10, 50));
    await this.#single(() => {
      if (this.#states.get(extractionId) === 'waiting' && !this.#held.has(extractionId))
        this.#states.set(extractionId, 'gone');
    });
  }

  /**
   * @param check whether the conditions hold
   * @param commit the writes, once the transaction is through
   */
  async #transaction<Refusal extends string>(
    writes: number,
    units: Spent,
    check: () => 'ready' | Refusal,
    commit: () => void,
  ): Promise<'ready' | 'conflict' | Refusal> {
    const { transactionMs, holdMs, furtherWriteMs } = this.#model;
    const furtherMs = Math.max(0, writes - USUAL_WRITES) * furtherWriteMs;
    const ms = this.#about(transactionMs + furtherMs);
    const heldMs = Math.min(ms, holdMs + furtherMs);
    const awayMs = (ms - heldMs) / 2;
    await this.#time.sleep(awayMs);
    const outcome = this.#isOpen(units) ? check() : 'conflict';
    if (outcome === 'ready') {
      this.#accountHeldUntilMs = this.#time.nowMs + heldMs;
      await this.#time.sleep(heldMs);
      commit();
    }
    await this.#time.sleep(awayMs);
    return outcome;
  }

  /** False where a partition takes no more, or another transaction is at the account. Units are taken all the same. */
  #isOpen(units: Spent): boolean {
    const taken = Object.entries(units).map(([partition, count]) => this.#units[partition as Partition].spend(count));
    return !taken.includes(false) && this.#accountHeldUntilMs <= this.#time.nowMs;
  }

  async #single<T>(effect: () => T): Promise<T> {
    const ms = this.#about(this.#model.singleMs);
    await this.#time.sleep(ms / 2);
    const result = effect();
    await this.#time.sleep(ms / 2);
    return result;
  }

  /** @throws Contention when a partition has refused it as often as the SDK tries. */
  async #spending(partition: Partition, count: number): Promise<void> {
    for (let attempt = 1; !this.#units[partition].spend(count); attempt++) {
      if (attempt === MAX_TRIES) throw new Contention();
      await this.#time.sleep(this.#random.next() * 50 * 2 ** attempt);
    }
  }

  #about(ms: number): number {
    return ms * this.#random.between(0.75, 1.25);
  }
}

/** A bucket of a second's worth of units. */
class Units {
  readonly #perSecond: number;
  readonly #time: VirtualTime;
  #left: number;
  #seenMs = 0;

  constructor(perSecond: number, time: VirtualTime) {
    this.#perSecond = perSecond;
    this.#time = time;
    this.#left = perSecond;
  }

  spend(units: number): boolean {
    if (this.#perSecond === Number.POSITIVE_INFINITY) return true;
    const { nowMs } = this.#time;
    this.#left = Math.min(this.#perSecond, this.#left + ((nowMs - this.#seenMs) * this.#perSecond) / 1000);
    this.#seenMs = nowMs;
    if (this.#left < units) return false;
    this.#left -= units;
    return true;
  }
}
