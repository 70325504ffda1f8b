import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { ErasableStore, ErasureTarget } from '../../accounts/domain/erase-data.ts';
import type { TableId } from '../../shared/resources.ts';
import { lastUlidTimeMs } from '../../shared/ulid-time.ts';
import { ENTRIES, ERASURES_PARTITION, epochSeconds } from '../dynamodb/keys.ts';
import { DynamoTable, type Key } from '../dynamodb/table.ts';
import { jitteredBackoff } from '../shared/system-ports.ts';

/** Attributes that show an item's owner and age. */
const READ = ['pk', 'sk', 'workspaceId', 'userId', 'email', 'notice', 'updatedAt', 'createdAt', 'expiresAt'] as const;

interface ScannedItem extends Key {
  readonly workspaceId?: string;
  readonly userId?: string;
  readonly email?: string;
  readonly notice?: { readonly workspaceId?: string; readonly userId?: string; readonly email?: string };
  readonly updatedAt?: unknown;
  readonly createdAt?: unknown;
  readonly expiresAt?: number;
}

/** Tables of what a retention is about. Runs may wait for people for a week. */
const RETAINED: Partial<Record<TableId, { readonly minDays: number }>> = {
  extractions: { minDays: 1 },
  conversations: { minDays: 0 },
  runs: { minDays: 8 },
};

/** The account and its entries stay: the law asks for records of payments. */
const LEDGER = new RegExp(`^(ACCOUNT$|${ENTRIES}|TOP_UP#|OWN_TOP_UP#)`);
const DAY_MS = 24 * 60 * 60_000;

/** A table that is scanned for the records of some workspaces. */
export class ErasableTable implements ErasableStore {
  readonly #id: TableId;
  readonly #name: string;
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;

  constructor(id: TableId, name: string, client: DynamoDBDocumentClient) {
    this.#id = id;
    this.#name = name;
    this.#client = client;
    this.#table = new DynamoTable(client, name);
  }

  async erasePage(targets: readonly ErasureTarget[], cursor: string | null, nowMs: number): Promise<string | null> {
    const names = Object.fromEntries(READ.map((attribute) => [`#${attribute}`, attribute]));
    const { Items = [], LastEvaluatedKey } = await this.#client.send(
      new ScanCommand({
        TableName: this.#name,
        ProjectionExpression: Object.keys(names).join(', '),
        ExpressionAttributeNames: names,
        ...(cursor !== null && { ExclusiveStartKey: JSON.parse(cursor) as Key }),
      }),
    );
    const gone: Key[] = [];
    for (const item of Items as ScannedItem[]) {
      const target = targets.find((each) => isOf(item, each));
      if (target === undefined || item.pk === ERASURES_PARTITION) continue;
      const expiresAt = target.kind === 'workspace' ? this.#endOf(item) : this.#retainedUntil(item, target);
      if (expiresAt <= epochSeconds(nowMs)) gone.push(item);
      else if (expiresAt < (item.expiresAt ?? expiresAt))
        await this.#table.update({ pk: item.pk, sk: item.sk }, { set: { expiresAt } });
    }
    await this.#table.deleteAll(gone, jitteredBackoff);
    return LastEvaluatedKey === undefined ? null : JSON.stringify(LastEvaluatedKey);
  }

  #endOf({ pk, sk }: Key): number {
    return this.#id === 'accounts' && pk.split('#').length === 2 && LEDGER.test(sk) ? Number.POSITIVE_INFINITY : 0;
  }

  /** Epoch seconds. A record without an expiry is kept for the default period. */
  #retainedUntil(item: ScannedItem, { retentionDays }: ErasureTarget): number {
    const retained = RETAINED[this.#id];
    const madeAtMs = retained && timeOf(item);
    if (retained === undefined || madeAtMs === null || madeAtMs === undefined) return Number.POSITIVE_INFINITY;
    return epochSeconds(madeAtMs + Math.max(retentionDays, retained.minDays) * DAY_MS);
  }
}

/**
 * Only by what the service itself has written: ids in texts and names of clients say nothing. Partitions of a workspace name it; other
 * records say whose they are, or have the id of a member, a key or a channel in their key.
 */
function isOf(item: ScannedItem, { workspaceId, ids }: ErasureTarget): boolean {
  const { pk, sk } = item;
  if (pk.startsWith('WORKSPACE#')) return pk.split('#')[1] === workspaceId;
  const owner = item.workspaceId ?? item.notice?.workspaceId;
  if (owner !== undefined) return owner === workspaceId;
  const named = [item.userId, item.email, item.notice?.userId, item.notice?.email, ...`${pk}#${sk}`.split(/[# ]/)];
  return named.some((id) => id !== undefined && (id === workspaceId || ids.includes(id)));
}

function timeOf({ pk, sk, updatedAt, createdAt }: ScannedItem): number | null {
  const told = Date.parse(String(updatedAt ?? createdAt));
  return Number.isNaN(told) ? (lastUlidTimeMs(sk) ?? lastUlidTimeMs(pk)) : told;
}
