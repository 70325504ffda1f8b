import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ApiKeyRecord, ApiKeys } from '../../accounts/domain/authenticate.ts';
import { PRESENT } from '../dynamodb/expressions.ts';
import { apiKeyKey } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';

export class DynamoApiKeys implements ApiKeys {
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#table = new DynamoTable(client, table);
  }

  find(id: string): Promise<ApiKeyRecord | null> {
    return this.#table.get<ApiKeyRecord>(apiKeyKey(id));
  }

  async recordUse(id: string, at: string): Promise<void> {
    // Conditional: a key that was deleted meanwhile must not come back as a stump.
    await this.#table.update(apiKeyKey(id), { set: { lastUsedAt: at }, condition: PRESENT });
  }
}
