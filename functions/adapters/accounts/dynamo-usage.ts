import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  NO_USAGE,
  USAGE_KEPT_SECONDS,
  type UsageCount,
  type UsageCounts,
  type UsageEvent,
  type UsageRecorder,
} from '../../accounts/domain/usage.ts';
import type { Backoff } from '../../shared/ports/backoff.ts';
import { epochSeconds, usageDayPrefix, usageKey, workspaceKey } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';
import { type TransactItem, transact } from '../dynamodb/transactions.ts';

/** Counters of one key and day: calls that end at the same moment rarely meet at the same one. */
const SHARDS = 8;
const MAX_ATTEMPTS = 10;

/**
 * Counters, added to in transactions: with the record of the call where it has one, so that a call is counted exactly when
 * it is recorded. The SDK's repetition of a transaction whose response was lost adds nothing.
 */
export class DynamoUsage implements UsageRecorder, UsageCounts {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;
  readonly #backoff: Backoff;

  constructor(client: DynamoDBDocumentClient, table: string, backoff: Backoff) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
    this.#backoff = backoff;
  }

  async record(event: UsageEvent): Promise<void> {
    // Let the response go out first: writes of one event-loop turn are sent at its end.
    await nextTurn();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      if ((await transact(this.#client, [['usage', usagePart(this.#table, event)]])) === null) return;
      await this.#backoff.wait(attempt);
    }
    throw new Error(`A call of ${event.workspaceId} could not be counted.`);
  }

  async *counts(workspaceId: string, fromDay: string, toDay: string): AsyncGenerator<UsageCount> {
    // `~` comes after every character of a sort key.
    const between = [usageDayPrefix(fromDay), `${usageDayPrefix(toDay)}~`] as const;
    const query = { partition: workspaceKey(workspaceId).pk, between };
    for await (const item of this.#table.query<Partial<UsageCount>>(query))
      yield { ...NO_USAGE, keyId: null, applicationId: null, accessTokenId: null, ...item } as UsageCount;
  }
}

/** The part of a transaction that counts the call. @param table of usage */
export function usagePart(
  table: DynamoTable,
  { amounts, ...key }: UsageEvent,
  shard = Math.floor(Math.random() * SHARDS),
): TransactItem {
  const expiresAt = epochSeconds(Date.parse(key.day)) + USAGE_KEPT_SECONDS;
  return table.updatePart(usageKey(key, shard), { orCreate: true, set: { ...key, expiresAt }, add: amounts });
}
