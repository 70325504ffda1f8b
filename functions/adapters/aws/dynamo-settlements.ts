import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Payment, Settlement, SettlementOutcome, Settlements } from '../../extraction/domain/settlement.ts';
import { extractionItem } from './dynamo-extractions.ts';
import type { DynamoIdempotency, TransactItem } from './dynamo-idempotency.ts';
import { ABSENT, accountKey, entryKey } from './dynamo-keys.ts';

/** What a settlement writes. */
type Part = 'account' | 'entry' | 'extraction' | 'claim';

const CONDITION_FAILED = 'ConditionalCheckFailed';
const TRANSIENT: readonly string[] = ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];

export interface SettlementTables {
  readonly accounts: string;
  readonly extractions: string;
}

export class DynamoSettlements implements Settlements {
  readonly #client: DynamoDBDocumentClient;
  readonly #tables: SettlementTables;
  readonly #idempotency: DynamoIdempotency;

  constructor(client: DynamoDBDocumentClient, tables: SettlementTables, idempotency: DynamoIdempotency) {
    this.#client = client;
    this.#tables = tables;
    this.#idempotency = idempotency;
  }

  async settle(settlement: Settlement): Promise<SettlementOutcome> {
    const writes = this.#writesOf(settlement);
    try {
      await this.#client.send(new TransactWriteCommand({ TransactItems: writes.map(([, write]) => write) }));
      return { kind: 'settled' };
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code ?? '');
      const outcome = outcomeOf(new Map(writes.map(([part], index) => [part, codes[index] ?? ''])));
      if (outcome === null) throw error;
      return outcome;
    }
  }

  #writesOf({ payment, extraction, completion }: Settlement): [Part, TransactItem][] {
    const Item = extractionItem(extraction);
    const writes: [Part, TransactItem][] = [
      ['extraction', { Put: { TableName: this.#tables.extractions, Item, ConditionExpression: ABSENT } }],
    ];
    if (payment) writes.push(['account', this.#accountWrite(payment)], ['entry', this.#entryWrite(payment)]);
    if (completion) {
      const { claim, response } = completion;
      writes.push(['claim', this.#idempotency.completion(claim, response, Date.parse(extraction.createdAt))]);
    }
    return writes;
  }

  #accountWrite({ before, after }: Payment): TransactItem {
    return {
      Update: {
        TableName: this.#tables.accounts,
        Key: accountKey(before.workspaceId),
        UpdateExpression:
          'SET balanceKrw = :balanceKrw, freeCallsUsed = :freeCallsUsed, updatedAt = :updatedAt, #version = :after',
        // The version alone would do. That the balance is never overdrawn is worth saying where it cannot be got round.
        ConditionExpression: '#version = :before AND balanceKrw >= :charge',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: {
          ':balanceKrw': after.balanceKrw,
          ':freeCallsUsed': after.freeCallsUsed,
          ':updatedAt': after.updatedAt,
          ':before': before.version,
          ':after': after.version,
          ':charge': before.balanceKrw - after.balanceKrw,
        },
      },
    };
  }

  #entryWrite({ entry }: Payment): TransactItem {
    return {
      Put: {
        TableName: this.#tables.accounts,
        Item: { ...entryKey(entry.workspaceId, entry.entryId), ...entry },
        ConditionExpression: ABSENT,
      },
    };
  }
}

/** @param codes why each part was cancelled. @returns null for what should never be. */
function outcomeOf(codes: ReadonlyMap<Part, string>): SettlementOutcome | null {
  // First: a call that has lost its key must not pay, whatever else happened.
  if (codes.get('claim') === CONDITION_FAILED) return { kind: 'claim_lost' };
  if (codes.get('account') === CONDITION_FAILED) return { kind: 'conflict' };
  return [...codes.values()].some((code) => TRANSIENT.includes(code)) ? { kind: 'conflict' } : null;
}
