import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ApiKeyRecord, ApiKeys } from '../../accounts/domain/authenticate.ts';
import { below, equal, missing, or } from '../dynamodb/expressions.ts';
import { apiKeyKey } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';

export class DynamoApiKeys implements ApiKeys {
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#table = new DynamoTable(client, table);
  }

  async find(id: string): Promise<ApiKeyRecord | null> {
    const item = await this.#table.get(apiKeyKey(id));
    return item && apiKeyOf(item);
  }

  async recordUse(id: string, at: string): Promise<void> {
    // A key that was deleted meanwhile must not come back as a stump, nor the time go back.
    const isLater = or(equal('lastUsedAt', null), missing('lastUsedAt'), below('lastUsedAt', at));
    await this.#table.update(apiKeyKey(id), { set: { lastUsedAt: at }, condition: isLater });
  }
}

/** The record of an item; keys that are older than the end of validity have no such attribute. */
export function apiKeyOf({ pk, sk, expiresAt, ...item }: Record<string, unknown>): ApiKeyRecord {
  return { validUntil: null, ...item } as unknown as ApiKeyRecord;
}
