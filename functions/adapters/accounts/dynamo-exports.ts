import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AuditEntry } from '../../accounts/domain/audit.ts';
import { EXPORT_KEPT_DAYS, type Exports, type WorkspaceExport } from '../../accounts/domain/export-workspace.ts';
import { epochSeconds, exportRecordKey, workspacePartition } from '../dynamodb/keys.ts';
import { DynamoTable, type Item } from '../dynamodb/table.ts';
import { transactOrRetry } from '../dynamodb/transactions.ts';
import { auditPart } from './dynamo-audit.ts';

/** Exports of a workspace, stored with its other records; their files are in a bucket. */
export class DynamoExports implements Exports {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
  }

  async create(started: WorkspaceExport, audit: AuditEntry): Promise<void> {
    const expiresAt = epochSeconds(Date.parse(started.createdAt)) + EXPORT_KEPT_DAYS * 24 * 60 * 60;
    const { workspaceId, exportId } = started;
    const cancelled = await transactOrRetry(this.#client, [
      ['export', this.#table.putPart({ ...exportRecordKey(workspaceId, exportId), ...started, expiresAt })],
      ['audit', auditPart(this.#table, audit)],
    ]);
    if (cancelled !== null) throw new Error(`Export ${exportId} could not be stored.`);
  }

  async find(workspaceId: string, exportId: string): Promise<WorkspaceExport | null> {
    const item = await this.#table.get(exportRecordKey(workspaceId, exportId));
    return item && exportOf(item);
  }

  async recent(workspaceId: string): Promise<WorkspaceExport[]> {
    const prefix = exportRecordKey(workspaceId, '').sk;
    const found: WorkspaceExport[] = [];
    for await (const item of this.#table.query({ partition: workspacePartition(workspaceId), prefix }))
      found.push(exportOf(item));
    return found;
  }

  async finish({ workspaceId, exportId, status, finishedAt, bytes }: WorkspaceExport): Promise<void> {
    await this.#table.update(exportRecordKey(workspaceId, exportId), { set: { status, finishedAt, bytes } });
  }
}

function exportOf({ pk, sk, expiresAt, ...item }: Item): WorkspaceExport {
  return item as unknown as WorkspaceExport;
}
