import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { PublishedKey, PublishedKeys } from '../../accounts/domain/signing-key.ts';
import { ABSENT, equal } from '../dynamodb/expressions.ts';
import { SIGNING_KEYS_KEY } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';

/** One item with all keys: functions that only verify tokens read it, and never the secret. */
export class DynamoPublishedKeys implements PublishedKeys {
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#table = new DynamoTable(client, table);
  }

  async list(): Promise<readonly PublishedKey[]> {
    const item = await this.#table.get<{ keys: readonly PublishedKey[] }>(SIGNING_KEYS_KEY);
    return item?.keys ?? [];
  }

  async replace(before: readonly PublishedKey[], after: readonly PublishedKey[]): Promise<boolean> {
    const condition = before.length === 0 ? ABSENT : equal('keys', before);
    const { written, item } = await this.#table.put({ ...SIGNING_KEYS_KEY, keys: after }, condition);
    // The SDK repeats a put whose response was lost.
    return written || isDeepStrictEqual(item?.keys, after);
  }
}
