import type { Clock } from '../ports/clock.ts';

/** Work that costs the operator money and its client none: what it may come to in a day. */
export interface FreeWorkLimits {
  /** Names the work in the store. */
  readonly name: string;
  /** Of one client, which is a network address or a workspace; 0: no limit. */
  readonly perClient: number;
  /** Of all clients together; 0: no limit. */
  readonly inAll: number;
}

/** Counters of a day. */
export interface DayCounters {
  /** @returns 0 for one that nothing was added to. */
  read(counter: string, day: string): Promise<number>;
  /** Adds atomically. @returns the count after it. */
  add(counter: string, day: string, amount: number): Promise<number>;
}

export interface FreeWorkPorts {
  readonly counters: DayCounters;
  readonly clock: Clock;
  /** Called once a day, when half of what all clients together may use is used. */
  readonly onHalfSpent: (name: string) => Promise<void>;
  /** Called when the store does not answer: the work passes, and an alarm counts it. */
  readonly storeFailed: (error: unknown) => Promise<void>;
}

const DAY_MS = 86_400_000;

/**
 * A daily budget of free work, by client and in all; days are those of UTC. Work is counted when it is done, so that calls at
 * the same moment may exceed a budget by as many as run at the same time.
 */
export class FreeWork {
  readonly #limits: FreeWorkLimits;
  readonly #ports: FreeWorkPorts;

  constructor(limits: FreeWorkLimits, ports: FreeWorkPorts) {
    this.#limits = limits;
    this.#ports = ports;
  }

  /** @param client null: unknown, as of queued work. @returns seconds until there is a budget again; 0 while there is. */
  waitSeconds(client: string | null): Promise<number> {
    return this.#passing(async (day) => {
      const spent = this.#budgets(client).map(async ({ counter, most }) => {
        return (await this.#ports.counters.read(counter, day)) >= most;
      });
      return (await Promise.all(spent)).includes(true);
    });
  }

  /** Counts work that was done. */
  async count(client: string | null, amount = 1): Promise<void> {
    await this.#passing(async (day) => {
      await this.#add(client, day, amount);
      return false;
    });
  }

  /** Counts one piece of work before it is done. @returns as `waitSeconds`; it may not be done unless that is 0. */
  take(client: string | null): Promise<number> {
    return this.#passing((day) => this.#add(client, day, 1));
  }

  /** @returns true where a budget was spent before. */
  async #add(client: string | null, day: string, amount: number): Promise<boolean> {
    const { name, inAll } = this.#limits;
    const spent = this.#budgets(client).map(async ({ counter, most, isOfAll }) => {
      const used = await this.#ports.counters.add(counter, day, amount);
      if (isOfAll && used >= inAll / 2 && used - amount < inAll / 2) await this.#ports.onHalfSpent(name);
      return used > most;
    });
    return (await Promise.all(spent)).includes(true);
  }

  /** Seconds until the next day where `isSpent`; 0 otherwise, and where the store fails. */
  async #passing(isSpent: (day: string) => Promise<boolean>): Promise<number> {
    const { clock, storeFailed } = this.#ports;
    const nowMs = clock.now();
    try {
      const day = new Date(nowMs).toISOString().slice(0, 10);
      return (await isSpent(day)) ? Math.ceil((DAY_MS - (nowMs % DAY_MS)) / 1000) : 0;
    } catch (error) {
      await storeFailed(error);
      return 0;
    }
  }

  #budgets(client: string | null) {
    const { name, perClient, inAll } = this.#limits;
    return [
      ...(inAll > 0 ? [{ counter: name, most: inAll, isOfAll: true }] : []),
      ...(perClient > 0 && client !== null ? [{ counter: `${name} ${client}`, most: perClient, isOfAll: false }] : []),
    ];
  }
}
