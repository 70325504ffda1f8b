import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { LimitStore, RateLimit, Taken } from '../../shared/limits/rate-limit.ts';
import { epochSeconds, limitKey } from '../dynamodb/keys.ts';

/** The bucket can turn from full to used, or back, between two writes of one taker; hardly ever twice. */
const MAX_TRIES = 8;
/** Buckets whose state this process remembers: a guess, which saves a write when it is right. */
const MAX_REMEMBERED = 10_000;

/**
 * A bucket is an item with the time at which it is full; full ones expire. DynamoDB has no maximum of two values, so that a
 * full bucket and a used one take a write each of their own: which of them to try is guessed from the last call.
 */
export class DynamoLimits implements LimitStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #fullAtMs = new Map<string, number>();

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async take(limit: RateLimit, subject: string, tokens: number, nowMs: number): Promise<Taken> {
    const { pk, sk } = limitKey(limit.name, subject);
    const bucket = `${pk}\n${sk}`;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const isUsed = (this.#fullAtMs.get(bucket) ?? 0) > nowMs;
      const taken = await this.#tryTake(limit, { pk, sk }, { tokens, nowMs, isUsed });
      this.#remember(bucket, taken.fullAtMs);
      // What is refused of a bucket that was taken for the other kind was not refused for want of tokens.
      if (taken.taken || isUsed === taken.fullAtMs > nowMs) return taken;
    }
    throw new Error(`Too many takers of ${limit.name} at once.`);
  }

  async #tryTake(
    { burst, refillMs }: RateLimit,
    Key: Readonly<Record<string, string>>,
    { tokens, nowMs, isUsed }: { tokens: number; nowMs: number; isUsed: boolean },
  ): Promise<Taken> {
    const costMs = tokens * refillMs;
    try {
      const { Attributes } = await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key,
          UpdateExpression: `SET fullAtMs = ${isUsed ? 'fullAtMs + :costMs' : ':fullAtMs'}, expiresAt = :expiresAt`,
          ConditionExpression: isUsed
            ? 'fullAtMs > :nowMs AND fullAtMs <= :latestMs'
            : 'attribute_not_exists(pk) OR fullAtMs <= :nowMs',
          ExpressionAttributeValues: {
            ':nowMs': nowMs,
            // Later than the bucket can be full.
            ':expiresAt': epochSeconds(nowMs + burst * refillMs) + 1,
            ...(isUsed
              ? { ':costMs': costMs, ':latestMs': nowMs + burst * refillMs - costMs }
              : { ':fullAtMs': nowMs + costMs }),
          },
          ReturnValues: 'UPDATED_NEW',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return { taken: true, fullAtMs: Attributes?.fullAtMs as number };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      const found = error.Item === undefined ? null : (unmarshall(error.Item) as { fullAtMs: number });
      return { taken: false, fullAtMs: found?.fullAtMs ?? 0 };
    }
  }

  #remember(bucket: string, fullAtMs: number): void {
    this.#fullAtMs.delete(bucket);
    this.#fullAtMs.set(bucket, fullAtMs);
    if (this.#fullAtMs.size > MAX_REMEMBERED) {
      const [oldest] = this.#fullAtMs.keys();
      this.#fullAtMs.delete(oldest as string);
    }
  }
}
