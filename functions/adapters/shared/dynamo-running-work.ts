import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../shared/ports/clock.ts';
import type { RunningWork } from '../../shared/ports/running-work.ts';
import { epochSeconds, runningWorkKey, runningWorkOf } from '../dynamodb/keys.ts';
import { LEASE_SECONDS, renewedLease } from '../dynamodb/renewed-lease.ts';
import { DynamoTable, type Key } from '../dynamodb/table.ts';

/** An item with a lease for each work under way, in the order of their starts. */
export class DynamoRunningWork implements RunningWork {
  readonly #table: DynamoTable;
  readonly #kind: 'ANSWER' | 'RUN';
  readonly #clock: Clock;

  constructor(client: DynamoDBDocumentClient, table: string, kind: 'ANSWER' | 'RUN', clock: Clock) {
    this.#table = new DynamoTable(client, table);
    this.#kind = kind;
    this.#clock = clock;
  }

  async begin(workspaceId: string, workId: string, max: number) {
    const key = runningWorkKey(this.#kind, workspaceId, this.#clock.now(), workId);
    await this.#table.put({ ...key, ...this.#lease() });
    // Stored first, so that of several that start at once exactly as many find room.
    if (!(await this.#isAmongFirst(workspaceId, key, max))) {
      await this.#table.delete(key);
      return null;
    }
    const letGo = renewedLease(() => this.#table.update(key, { set: this.#lease() }));
    return async () => {
      letGo();
      await this.#table.delete(key);
    };
  }

  async #isAmongFirst(workspaceId: string, { sk }: Key, max: number): Promise<boolean> {
    const partition = runningWorkOf(this.#kind, workspaceId);
    let before = 0;
    for await (const each of this.#table.query<Key & { untilMs: number }>({ partition })) {
      if (each.sk === sk) return true;
      // TTL removes items late: those past their time are not counted.
      if (each.untilMs > this.#clock.now() && ++before === max) return false;
    }
    return true;
  }

  #lease() {
    const untilMs = this.#clock.now() + LEASE_SECONDS * 1_000;
    return { untilMs, expiresAt: epochSeconds(untilMs) };
  }
}
