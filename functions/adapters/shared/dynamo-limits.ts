import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { LimitStore, RateLimit } from '../../shared/limits/rate-limit.ts';
import { epochSeconds, limitKey } from '../dynamodb/keys.ts';

/** The bucket can change between two writes of one taker so often; each time another taker got on. */
const MOST_TRIES = 20;

/** A bucket is an item with the time at which it is full; full ones expire. */
export class DynamoLimits implements LimitStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async take(limit: RateLimit, subject: string, tokens: number, nowMs: number) {
    const { burst, refillMs } = limit;
    // One write where the bucket is full or empty; another one where it is neither.
    let before: number | null = null;
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const fullAtMs = Math.max(before ?? 0, nowMs) + tokens * refillMs;
      if (fullAtMs > nowMs + burst * refillMs) return { taken: false, fullAtMs: before ?? nowMs };
      const found = await this.#replace(limit, subject, { before, fullAtMs, nowMs });
      if (found === null) return { taken: true, fullAtMs };
      before = found;
    }
    throw new Error(`Too many takers of ${limit.name} at once.`);
  }

  /** @returns null when written, else what the item holds. */
  async #replace(
    { name }: RateLimit,
    subject: string,
    { before, fullAtMs, nowMs }: { before: number | null; fullAtMs: number; nowMs: number },
  ): Promise<number | null> {
    try {
      await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: limitKey(name, subject),
          UpdateExpression: 'SET fullAtMs = :fullAtMs, expiresAt = :expiresAt',
          ConditionExpression:
            before === null ? 'attribute_not_exists(pk) OR fullAtMs <= :nowMs' : 'fullAtMs = :before',
          ExpressionAttributeValues: {
            ':fullAtMs': fullAtMs,
            ':expiresAt': epochSeconds(fullAtMs) + 1,
            ...(before === null ? { ':nowMs': nowMs } : { ':before': before }),
          },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return null;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException) || error.Item === undefined) throw error;
      return (unmarshall(error.Item) as { fullAtMs: number }).fullAtMs;
    }
  }
}
