import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { LedgerEntry } from '../../accounts/domain/account.ts';
import type { AuditEntry } from '../../accounts/domain/audit.ts';
import type { Ledger, TopUpOutcome, TopUpSource } from '../../accounts/domain/ledger.ts';
import type { PostedChange } from '../../accounts/domain/posting.ts';
import { ABSENT } from '../dynamodb/expressions.ts';
import { ENTRIES, entryKey, ownTopUpKey, topUpKey, workspaceKey } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';
import { transact } from '../dynamodb/transactions.ts';
import { auditPart } from './dynamo-audit.ts';
import { postingWrites } from './posting-writes.ts';

export class DynamoLedger implements Ledger {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
  }

  async topUp(change: PostedChange, audit: AuditEntry, source: TopUpSource = 'payment'): Promise<TopUpOutcome> {
    const { workspaceId, sequence, reference } = change.entry;
    const payment = topUpKey(workspaceId, String(reference));
    const cancelled = await transact(this.#client, [
      ...postingWrites(this.#table, change),
      ...(source === 'payment'
        ? [['payment', this.#table.putPart({ ...payment, sequence })] as const]
        : [
            ['payment', this.#table.checkPart(payment, ABSENT)] as const,
            ['own', this.#table.putPart({ ...ownTopUpKey(workspaceId, String(reference)), sequence })] as const,
          ]),
      ['audit', auditPart(this.#table, audit)] as const,
    ]);
    if (cancelled === null) return { kind: 'posted' };
    // Checked first: a repeated payment is reported as one, even if other conditions have failed too.
    const part = (['payment', 'own'] as const).find((each) => cancelled.failed(each));
    const earlier = part && cancelled.reason(part)?.Item;
    if (earlier)
      return { kind: 'repeated', entry: await this.#entry(workspaceId, Number(unmarshall(earlier).sequence)) };
    if (cancelled.failed('account') || cancelled.isTransient) return { kind: 'conflict' };
    throw new Error(`Top-up ${reference} of ${workspaceId} was cancelled for an unknown reason.`);
  }

  async entries(workspaceId: string, limit: number, before: number | null): Promise<LedgerEntry[]> {
    const { items } = await this.#table.page({
      partition: workspaceKey(workspaceId).pk,
      prefix: ENTRIES,
      descending: true,
      limit,
      ...(before !== null && { after: entryKey(workspaceId, before) }),
    });
    return items.map(entryOf);
  }

  async #entry(workspaceId: string, sequence: number): Promise<LedgerEntry> {
    const item = await this.#table.get(entryKey(workspaceId, sequence));
    if (item === null) throw new Error(`Entry ${sequence} of ${workspaceId}'s ledger is missing.`);
    return entryOf(item);
  }
}

function entryOf({ pk, sk, ...entry }: Record<string, unknown>): LedgerEntry {
  return entry as unknown as LedgerEntry;
}
