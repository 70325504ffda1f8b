import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { AUDIT_KEPT_SECONDS, type AuditEntry, type AuditTrail } from '../../accounts/domain/audit.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { auditKey, auditPartition, epochSeconds } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';
import type { TransactItem } from '../dynamodb/transactions.ts';

/** Audit entries in the partition of their workspace, an item each. */
export class DynamoAudit implements AuditTrail {
  readonly #table: DynamoTable;
  readonly #clock: Clock;

  constructor(client: DynamoDBDocumentClient, table: string, clock: Clock) {
    this.#table = new DynamoTable(client, table);
    this.#clock = clock;
  }

  async record(entry: AuditEntry): Promise<void> {
    await this.#table.put(auditItem(entry));
  }

  async entries(workspaceId: string, limit: number, before: string | null): Promise<AuditEntry[]> {
    const { items } = await this.#table.page({
      partition: auditPartition(workspaceId),
      descending: true,
      limit,
      ...(before !== null && { after: auditKey(workspaceId, before) }),
    });
    const nowSeconds = epochSeconds(this.#clock.now());
    return items.filter(({ expiresAt }) => Number(expiresAt) > nowSeconds).map(entryOf);
  }
}

/** The part of a transaction that stores the entry of its act. @param table of the accounts */
export function auditPart(table: DynamoTable, entry: AuditEntry): TransactItem {
  return table.putPart(auditItem(entry));
}

function auditItem(entry: AuditEntry) {
  const expiresAt = epochSeconds(Date.parse(entry.createdAt)) + AUDIT_KEPT_SECONDS;
  return { ...auditKey(entry.workspaceId, entry.auditId), ...entry, expiresAt };
}

function entryOf({ pk, sk, expiresAt, ...entry }: Record<string, unknown>): AuditEntry {
  return entry as unknown as AuditEntry;
}
