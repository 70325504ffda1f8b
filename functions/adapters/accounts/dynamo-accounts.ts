import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Account, Accounts } from '../../accounts/domain/account.ts';
import type { AlertSettings } from '../../accounts/domain/change-threshold.ts';
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
} from '../dynamodb/keys.ts';
import { transact } from '../dynamodb/transactions.ts';

/** Workspaces and their prepaid accounts. Items are the domain's records, and keys beside them. */
export class DynamoAccounts implements Accounts, AlertSettings, Workspaces {
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
    // An account that is older than the alerts.
    return { lowBalanceTold: false, ...account } as Account;
  }

  async exists(workspaceId: string): Promise<boolean> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: workspaceKey(workspaceId), ConsistentRead: true }),
    );
    return Item !== undefined;
  }

  async create({ workspaceId, name, createdAt, owner, apiKey, account, openingEntry }: NewWorkspace): Promise<void> {
    const put = (Item: Record<string, unknown>) => ({
      Put: { TableName: this.#table, Item, ConditionExpression: ABSENT },
    });
    const cancelled = await transact(this.#client, [
      ['email', put({ ...emailKey(owner.email), workspaceId, userId: owner.userId })],
      ['workspace', put({ ...workspaceKey(workspaceId), workspaceId, name, createdAt })],
      ['owner', put({ ...userKey(workspaceId, owner.userId), ...owner })],
      ['key', put({ ...apiKeyKey(apiKey.id), ...apiKey })],
      ['owned key', put({ ...ownedApiKeyKey(workspaceId, apiKey.id), id: apiKey.id })],
      ['account', put({ ...accountKey(workspaceId), ...account })],
      ['entry', put({ ...entryKey(workspaceId, openingEntry.sequence), ...openingEntry })],
    ]);
    if (cancelled === null) return;
    if (cancelled.failed('email')) throw new EmailTaken(`There is an account for ${owner.email} already.`);
    throw new Error(`Workspace ${workspaceId} cannot be made: a part of it exists already.`);
  }

  async saveAlert({ workspaceId, lowBalanceThresholdKrw, lowBalanceTold, version }: Account): Promise<boolean> {
    const account = {
      Update: {
        TableName: this.#table,
        Key: accountKey(workspaceId),
        UpdateExpression: 'SET lowBalanceThresholdKrw = :threshold, lowBalanceTold = :told, #version = :after',
        ConditionExpression: '#version = :before',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: {
          ':threshold': lowBalanceThresholdKrw,
          ':told': lowBalanceTold,
          ':before': version - 1,
          ':after': version,
        },
      },
    };
    // A transaction of one: when its answer is lost the SDK's repetition of it counts as the same one.
    return (await transact(this.#client, [['account', account]])) === null;
  }
}
