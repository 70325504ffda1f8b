import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DayCounters } from '../../shared/limits/free-work.ts';
import { epochSeconds, limitKey } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';

/** A counter is useless after its day, in any time zone. */
const KEPT_SECONDS = 2 * 24 * 60 * 60;

/** Counters of free work, in the table of the rate limits' buckets. */
export class DynamoDayCounters implements DayCounters {
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#table = new DynamoTable(client, table);
  }

  async read(counter: string, day: string): Promise<number> {
    const item = await this.#table.get<{ used: number }>(keyOf(counter, day), { consistent: false });
    return item?.used ?? 0;
  }

  async add(counter: string, day: string, amount: number): Promise<number> {
    const expiresAt = epochSeconds(Date.parse(day)) + KEPT_SECONDS;
    const change = { orCreate: true, set: { expiresAt }, add: { used: amount } } as const;
    const { item } = await this.#table.updateItem(keyOf(counter, day), change);
    return Number(item?.used);
  }
}

const keyOf = (counter: string, day: string) => limitKey(`day ${day}`, counter);
