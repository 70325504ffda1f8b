import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Account, Accounts } from '../../accounts/domain/account.ts';
import type { AuditEntry } from '../../accounts/domain/audit.ts';
import type { Budgets } from '../../accounts/domain/budgets.ts';
import type { AlertSettings } from '../../accounts/domain/change-threshold.ts';
import { CONFIRMATION_SECONDS } from '../../accounts/domain/confirmation-notice.ts';
import { type DataSettings, type DataSettingsStore, dataSettingsOf } from '../../accounts/domain/data-settings.ts';
import type { BudgetStore } from '../../accounts/domain/manage-budgets.ts';
import type { LoginCredential, User } from '../../accounts/domain/user.ts';
import { EmailTaken, type NewWorkspace, type Workspaces } from '../../accounts/domain/workspace.ts';
import { ABSENT, equal, PRESENT } from '../dynamodb/expressions.ts';
import {
  accountKey,
  apiKeyKey,
  emailKey,
  entryKey,
  epochSeconds,
  ownedApiKeyKey,
  pendingCredentialKey,
  signedInUserKey,
  userKey,
  workspaceKey,
} from '../dynamodb/keys.ts';
import { DynamoTable, type Item, type Key } from '../dynamodb/table.ts';
import { transact, transactOrRetry } from '../dynamodb/transactions.ts';
import { auditPart } from './dynamo-audit.ts';
import { outboxItem } from './dynamo-outbox.ts';

/** Workspaces and their prepaid accounts. Items are the domain's records plus keys. */
export class DynamoAccounts implements Accounts, AlertSettings, BudgetStore, DataSettingsStore, Workspaces {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
  }

  async find(workspaceId: string): Promise<Account | null> {
    const item = await this.#table.get(accountKey(workspaceId));
    if (item === null) return null;
    // `lowBalanceTold`: the former name of the attribute; accounts that are older than the alerts have neither.
    const { pk, sk, lowBalanceTold: lowBalanceNotified = false, ...account } = item;
    return { lowBalanceNotified, ...account } as unknown as Account;
  }

  async dataSettings(workspaceId: string): Promise<DataSettings> {
    const item = await this.#table.get<Pick<Account, 'data'>>(accountKey(workspaceId), { attributes: ['data'] });
    return dataSettingsOf(item ?? {});
  }

  async budgetsOf(workspaceId: string): Promise<Budgets | undefined> {
    const item = await this.#table.get<Pick<Account, 'budgets'>>(accountKey(workspaceId), { attributes: ['budgets'] });
    return item?.budgets;
  }

  async exists(workspaceId: string): Promise<boolean> {
    return (await this.#table.get(workspaceKey(workspaceId))) !== null;
  }

  async nameOf(workspaceId: string): Promise<string | null> {
    const workspace = await this.#table.get<{ name: string }>(workspaceKey(workspaceId));
    return workspace?.name ?? null;
  }

  async create(workspace: NewWorkspace): Promise<void> {
    const { workspaceId, name, createdAt, owner, credential, apiKey, account, openingEntry, confirmation } = workspace;
    const table = this.#table;
    const { email } = credential;
    // Everything of a workspace that is never confirmed expires together.
    const expiry = confirmation && { expiresAt: epochSeconds(Date.parse(createdAt)) + CONFIRMATION_SECONDS };
    const put = (item: Item & Key) => table.putPart({ ...item, ...expiry });
    const cancelled = await transactOrRetry<string>(this.#client, [
      ...(confirmation === null
        ? [['email', put({ ...emailKey(email), ...credential })] as const]
        : [
            ['email', table.checkPart(emailKey(email), ABSENT)] as const,
            ['pending', put({ ...pendingCredentialKey(owner.userId), ...credential, keyId: apiKey.id })] as const,
            ['confirmation', table.putPart(outboxItem(confirmation))] as const,
          ]),
      ['workspace', put({ ...workspaceKey(workspaceId), workspaceId, name, ownerCount: 1, createdAt })],
      ['owner', put({ ...userKey(workspaceId, owner.userId), ...owner })],
      ['signed-in owner', put({ ...signedInUserKey(owner.userId), ...owner })],
      ['key', put({ ...apiKeyKey(apiKey.id), ...apiKey })],
      ['owned key', put({ ...ownedApiKeyKey(workspaceId, apiKey.id), id: apiKey.id })],
      ['account', put({ ...accountKey(workspaceId), ...account })],
      ['entry', put({ ...entryKey(workspaceId, openingEntry.sequence), ...openingEntry })],
    ]);
    if (cancelled === null) return;
    if (cancelled.failed('email')) throw new EmailTaken(`There is an account for ${owner.email} already.`);
    throw new Error(`Workspace ${workspaceId} cannot be made: a part of it exists already.`);
  }

  /** The owner of an e-mail address that is older than logins; null for any other address. @param email in its normal form. */
  async ownerWithoutLogin(email: string): Promise<User | null> {
    const item = await this.#table.get<{ workspaceId: string; userId: string }>(emailKey(email));
    if (item === null || 'passwordHash' in item) return null;
    const user = await this.#table.get(userKey(item.workspaceId, item.userId));
    if (user === null) return null;
    const { pk, sk, passwordHash, ...known } = user;
    return { sessionEpoch: 0, ...known } as unknown as User;
  }

  /** Gives an owner who is older than logins what a login needs. */
  async enableLogin(owner: User, { email, userId, workspaceId, passwordHash }: LoginCredential): Promise<void> {
    const table = this.#table;
    const any = PRESENT;
    await transactOrRetry(this.#client, [
      ['email', table.putPart({ ...emailKey(email), email, userId, workspaceId, passwordHash }, any)],
      ['owner', table.putPart({ ...userKey(workspaceId, userId), ...owner }, any)],
      ['signed-in owner', table.putPart({ ...signedInUserKey(userId), ...owner })],
      ['workspace', table.updatePart(workspaceKey(workspaceId), { set: { ownerCount: 1 }, condition: any })],
    ]);
  }

  async saveAlert(
    { workspaceId, lowBalanceThresholdKrw, lowBalanceNotified, version }: Account,
    audit: AuditEntry,
  ): Promise<boolean> {
    return this.#saveSettings(workspaceId, { lowBalanceThresholdKrw, lowBalanceNotified, version }, audit);
  }

  saveBudgets({ workspaceId, budgets = {}, version }: Account, audit: AuditEntry): Promise<boolean> {
    return this.#saveSettings(workspaceId, { budgets, version }, audit);
  }

  async #saveSettings(
    workspaceId: string,
    settings: Partial<Account> & Pick<Account, 'version'>,
    audit: AuditEntry,
  ): Promise<boolean> {
    const account = this.#table.updatePart(accountKey(workspaceId), {
      set: settings,
      condition: equal('version', settings.version - 1),
    });
    const writes = [
      ['account', account],
      ['audit', auditPart(this.#table, audit)],
    ] as const;
    return (await transact(this.#client, writes)) === null;
  }
}
