import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { LimitStore, RateLimit } from '../../shared/limits/rate-limit.ts';
import { ABSENT, atMost, equal, or } from '../dynamodb/expressions.ts';
import { epochSeconds, limitKey } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';

/** Each lost attempt means that another request got its tokens. */
const MAX_ATTEMPTS = 20;

/** A bucket is an item with the time at which it is full; full ones expire. */
export class DynamoLimits implements LimitStore {
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#table = new DynamoTable(client, table);
  }

  async take(limit: RateLimit, subject: string, tokens: number, nowMs: number) {
    const { burst, refillMs } = limit;
    // One write where the bucket is full or empty; another one where it is neither.
    let before: number | null = null;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const fullAtMs = Math.max(before ?? 0, nowMs) + tokens * refillMs;
      if (fullAtMs > nowMs + burst * refillMs) return { taken: false, fullAtMs: before ?? nowMs };
      const outcome = await this.#table.updateItem(limitKey(limit.name, subject), {
        set: { fullAtMs, expiresAt: epochSeconds(fullAtMs) + 1 },
        condition: before === null ? or(ABSENT, atMost('fullAtMs', nowMs)) : equal('fullAtMs', before),
      });
      if (outcome.written) return { taken: true, fullAtMs };
      before = (outcome.item?.fullAtMs as number | undefined) ?? null;
    }
    throw new Error(`Too many takers of ${limit.name} at once.`);
  }
}
