import { type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { LedgerEntry } from '../../accounts/domain/account.ts';
import type { Ledger, TopUpOutcome } from '../../accounts/domain/ledger.ts';
import type { PostedChange } from '../../accounts/domain/posting.ts';
import { ABSENT, ENTRIES, entryKey, topUpKey, workspaceKey } from '../dynamodb/keys.ts';
import { transact } from '../dynamodb/transactions.ts';
import { postingWrites } from './posting-writes.ts';

export class DynamoLedger implements Ledger {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async topUp(change: PostedChange): Promise<TopUpOutcome> {
    const { workspaceId, sequence, reference } = change.entry;
    const payment = {
      Put: {
        TableName: this.#table,
        Item: { ...topUpKey(workspaceId, String(reference)), sequence },
        ConditionExpression: ABSENT,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    } as const;
    const cancelled = await transact(this.#client, [
      ...postingWrites(this.#table, change),
      ['payment', payment] as const,
    ]);
    if (cancelled === null) return { kind: 'posted' };
    // Checked first: a repeated payment is one whatever else has changed since.
    const earlier = cancelled.failed('payment') ? cancelled.reason('payment')?.Item : undefined;
    if (earlier)
      return { kind: 'repeated', entry: await this.#entry(workspaceId, Number(unmarshall(earlier).sequence)) };
    if (cancelled.failed('account') || cancelled.isTransient) return { kind: 'conflict' };
    throw new Error(`Top-up ${reference} of ${workspaceId} was cancelled for an unknown reason.`);
  }

  async entries(workspaceId: string, limit: number, before: number | null): Promise<LedgerEntry[]> {
    const { pk } = workspaceKey(workspaceId);
    const { Items = [] } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :entries)',
        ExpressionAttributeValues: { ':pk': pk, ':entries': ENTRIES },
        // A client that was just charged must find the entry.
        ConsistentRead: true,
        ScanIndexForward: false,
        Limit: limit,
        ...(before !== null && { ExclusiveStartKey: entryKey(workspaceId, before) }),
      }),
    );
    return Items.map(entryOf);
  }

  async #entry(workspaceId: string, sequence: number): Promise<LedgerEntry> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: entryKey(workspaceId, sequence), ConsistentRead: true }),
    );
    if (Item === undefined) throw new Error(`Entry ${sequence} of ${workspaceId}'s ledger is missing.`);
    return entryOf(Item);
  }
}

function entryOf({ pk, sk, ...entry }: Record<string, unknown>): LedgerEntry {
  return entry as unknown as LedgerEntry;
}
