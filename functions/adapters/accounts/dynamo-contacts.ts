import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Contacts } from '../../accounts/domain/deliver-notices.ts';
import type { Recipients } from '../../accounts/domain/low-balance-mail.ts';
import type { User } from '../../accounts/domain/user.ts';
import { userKey, workspaceKey } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';

/** Recipients of a workspace's e-mails. */
export class DynamoContacts implements Contacts {
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#table = new DynamoTable(client, table);
  }

  async recipientsOf(workspaceId: string): Promise<Recipients> {
    const [workspace, owners] = await Promise.all([
      this.#table.get<{ name?: string }>(workspaceKey(workspaceId)),
      this.#owners(workspaceId),
    ]);
    return { workspaceName: workspace?.name ?? workspaceId, owners };
  }

  async #owners(workspaceId: string): Promise<string[]> {
    const { pk: partition, sk: prefix } = userKey(workspaceId, '');
    const addresses: string[] = [];
    for await (const { email, role } of this.#table.query<User>({ partition, prefix }))
      if (role === 'owner') addresses.push(email);
    return addresses;
  }
}
