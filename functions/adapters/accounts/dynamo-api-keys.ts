import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ApiKeyRecord, ApiKeys } from '../../accounts/domain/authenticate.ts';
import { apiKeyKey } from '../dynamodb/keys.ts';

export class DynamoApiKeys implements ApiKeys {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async find(id: string): Promise<ApiKeyRecord | null> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: apiKeyKey(id), ConsistentRead: true }),
    );
    return (Item as ApiKeyRecord | undefined) ?? null;
  }

  async recordUse(id: string, at: string): Promise<void> {
    try {
      await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: apiKeyKey(id),
          UpdateExpression: 'SET lastUsedAt = :at',
          // A key that was deleted meanwhile must not come back as a stump.
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeValues: { ':at': at },
        }),
      );
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }
}
