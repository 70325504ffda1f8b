import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { LoginCredential, User, Users } from '../../accounts/domain/user.ts';
import { emailKey, signedInUserKey } from '../dynamodb/keys.ts';
import { DynamoTable, type Item } from '../dynamodb/table.ts';

export class DynamoUsers implements Users {
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#table = new DynamoTable(client, table);
  }

  async find(userId: string): Promise<User | null> {
    const item = await this.#table.get(signedInUserKey(userId));
    return item && userOf(item);
  }

  async findCredential(email: string): Promise<LoginCredential | null> {
    const item = await this.#table.get(emailKey(email));
    // Addresses of workspaces that are older than logins have no password here.
    if (item?.passwordHash === undefined) return null;
    const { pk, sk, ...credential } = item;
    return credential as unknown as LoginCredential;
  }
}

/** A user without the keys of the item. */
export function userOf({ pk, sk, ...user }: Item): User {
  return user as unknown as User;
}
