import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Account } from '../../accounts/domain/account.ts';
import type { AuditEntry } from '../../accounts/domain/audit.ts';
import { dataSettingsOf } from '../../accounts/domain/data-settings.ts';
import type { ErasureOrder } from '../../accounts/domain/erasure.ts';
import type { Deletion, WorkspaceRecord, WorkspaceStore } from '../../accounts/domain/manage-workspace.ts';
import type { WorkspaceNotice } from '../../accounts/domain/workspace-mails.ts';
import { and, missing, PRESENT } from '../dynamodb/expressions.ts';
import { accountKey, erasureOrderKey, workspaceKey } from '../dynamodb/keys.ts';
import { DynamoTable, type Key } from '../dynamodb/table.ts';
import { transactOrRetry } from '../dynamodb/transactions.ts';
import { auditPart } from './dynamo-audit.ts';
import { outboxItem } from './dynamo-outbox.ts';

type WorkspaceItem = Key &
  Pick<WorkspaceRecord, 'name' | 'createdAt'> &
  Partial<Pick<WorkspaceRecord, 'requiresSecondFactor'>> & { readonly deletion?: Deletion };

/** Workspaces as their owners see them: name and deletion in a separate item, settings in the account. */
export class DynamoWorkspaces implements WorkspaceStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
  }

  async describe(workspaceId: string): Promise<WorkspaceRecord | null> {
    const [at, accountAt] = [workspaceKey(workspaceId), accountKey(workspaceId)];
    const items = await this.#table.getAll<Key>([at, accountAt]);
    const workspace = items.find(({ sk }) => sk === at.sk) as WorkspaceItem | undefined;
    const account = items.find(({ sk }) => sk === accountAt.sk) as Pick<Account, 'data'> | undefined;
    if (workspace === undefined) return null;
    const { name, createdAt, deletion = null, requiresSecondFactor = false } = workspace;
    return { workspaceId, name, createdAt, deletion, requiresSecondFactor, data: dataSettingsOf(account ?? {}) };
  }

  async requiresSecondFactor(workspaceId: string): Promise<boolean> {
    const attributes = ['requiresSecondFactor'];
    const item = await this.#table.get<WorkspaceItem>(workspaceKey(workspaceId), { attributes });
    return item?.requiresSecondFactor ?? false;
  }

  async change(
    workspaceId: string,
    { name, data, requiresSecondFactor }: Pick<WorkspaceRecord, 'name' | 'data' | 'requiresSecondFactor'>,
    order: ErasureOrder | null,
    audit: AuditEntry,
  ): Promise<void> {
    const cancelled = await transactOrRetry(this.#client, [
      [
        'workspace',
        this.#table.updatePart(workspaceKey(workspaceId), { set: { name, requiresSecondFactor }, condition: PRESENT }),
      ],
      ['account', this.#table.updatePart(accountKey(workspaceId), { set: { data }, condition: PRESENT })],
      ...(order === null ? [] : [['order', this.#table.putPart(orderItem(order))] as const]),
      ['audit', auditPart(this.#table, audit)],
    ]);
    if (cancelled !== null) throw new Error(`Workspace ${workspaceId} could not be changed.`);
  }

  async requestDeletion(
    deletion: Deletion,
    order: ErasureOrder,
    notice: WorkspaceNotice,
    audit: AuditEntry,
  ): Promise<boolean> {
    const change = { set: { deletion }, condition: and(PRESENT, missing('deletion')) };
    const cancelled = await transactOrRetry(this.#client, [
      ['workspace', this.#table.updatePart(workspaceKey(order.workspaceId), change)],
      ['order', this.#table.putPart(orderItem(order))],
      ['notice', this.#table.putPart(outboxItem(notice))],
      ['audit', auditPart(this.#table, audit)],
    ]);
    return cancelled === null;
  }

  async cancelDeletion(order: ErasureOrder, notice: WorkspaceNotice, audit: AuditEntry): Promise<boolean> {
    const change = { set: {}, remove: ['deletion'], condition: PRESENT };
    const cancelled = await transactOrRetry(this.#client, [
      ['order', this.#table.deletePart(erasureOrderKey(order), and(PRESENT, missing('begunAtMs')))],
      ['workspace', this.#table.updatePart(workspaceKey(order.workspaceId), change)],
      ['notice', this.#table.putPart(outboxItem(notice))],
      ['audit', auditPart(this.#table, audit)],
    ]);
    return cancelled === null;
  }
}

function orderItem(order: ErasureOrder) {
  return { ...erasureOrderKey(order), ...order };
}
