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

  async recipientsOf(workspaceId: string): Promise<Recipients & { readonly members: readonly string[] }> {
    const [workspace, users] = await Promise.all([
      this.#table.get<{ name?: string }>(workspaceKey(workspaceId)),
      this.#users(workspaceId),
    ]);
    return {
      workspaceName: workspace?.name ?? workspaceId,
      owners: users.filter(({ role }) => role === 'owner').map(({ email }) => email),
      members: users.map(({ email }) => email),
    };
  }

  async #users(workspaceId: string): Promise<readonly User[]> {
    const { pk: partition, sk: prefix } = userKey(workspaceId, '');
    const users: User[] = [];
    for await (const user of this.#table.query<User>({ partition, prefix })) users.push(user);
    return users;
  }
}
