import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Account, Accounts } from '../../accounts/domain/account.ts';
import { EmailTaken, type NewWorkspace, type Workspaces } from '../../accounts/domain/workspace.ts';
import {
  ABSENT,
  accountKey,
  apiKeyKey,
  emailKey,
  entryKey,
  ownedApiKeyKey,
  userKey,
  workspaceKey,
} from './dynamo-keys.ts';

/** Workspaces and their prepaid accounts. Items are the domain's records, and keys beside them. */
export class DynamoAccounts implements Accounts, Workspaces {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async find(workspaceId: string): Promise<Account | null> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: accountKey(workspaceId), ConsistentRead: true }),
    );
    if (Item === undefined) return null;
    const { pk, sk, ...account } = Item;
    return account as Account;
  }

  async exists(workspaceId: string): Promise<boolean> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: workspaceKey(workspaceId), ConsistentRead: true }),
    );
    return Item !== undefined;
  }

  async create({ workspaceId, name, createdAt, owner, apiKey, account, openingEntry }: NewWorkspace): Promise<void> {
    const email = { ...emailKey(owner.email), workspaceId, userId: owner.userId };
    const items = [
      email,
      { ...workspaceKey(workspaceId), workspaceId, name, createdAt },
      { ...userKey(workspaceId, owner.userId), ...owner },
      { ...apiKeyKey(apiKey.id), ...apiKey },
      { ...ownedApiKeyKey(workspaceId, apiKey.id), id: apiKey.id },
      { ...accountKey(workspaceId), ...account },
      { ...entryKey(workspaceId, openingEntry.sequence), ...openingEntry },
    ];
    try {
      await this.#client.send(
        new TransactWriteCommand({
          TransactItems: items.map((Item) => ({
            Put: { TableName: this.#table, Item, ConditionExpression: ABSENT },
          })),
        }),
      );
    } catch (error) {
      const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
      if (reasons[items.indexOf(email)]?.Code === 'ConditionalCheckFailed')
        throw new EmailTaken(`There is an account for ${owner.email} already.`, { cause: error });
      throw error;
    }
  }
}
