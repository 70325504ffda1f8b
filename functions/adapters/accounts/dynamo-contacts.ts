import { type DynamoDBDocumentClient, GetCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { Contacts } from '../../accounts/domain/deliver-notices.ts';
import type { Recipients } from '../../accounts/domain/low-balance-mail.ts';
import type { User } from '../../accounts/domain/workspace.ts';
import { userKey, workspaceKey } from '../dynamodb/keys.ts';

/** Who is to hear of a workspace's affairs. */
export class DynamoContacts implements Contacts {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async recipientsOf(workspaceId: string): Promise<Recipients> {
    const [{ Item }, owners] = await Promise.all([
      this.#client.send(new GetCommand({ TableName: this.#table, Key: workspaceKey(workspaceId) })),
      this.#owners(workspaceId),
    ]);
    return { workspaceName: String(Item?.name ?? workspaceId), owners };
  }

  async #owners(workspaceId: string): Promise<string[]> {
    const { pk, sk } = userKey(workspaceId, '');
    const pages = paginateQuery(
      { client: this.#client },
      {
        TableName: this.#table,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :users)',
        ExpressionAttributeValues: { ':pk': pk, ':users': sk },
      },
    );
    const addresses: string[] = [];
    for await (const { Items = [] } of pages)
      for (const { email, role } of Items as User[]) if (role === 'owner') addresses.push(email);
    return addresses;
  }
}
