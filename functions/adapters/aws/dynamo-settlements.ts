import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Payment, Settlement, SettlementOutcome, Settlements } from '../../extraction/domain/settlement.ts';
import { extractionItem } from './dynamo-extractions.ts';
import type { DynamoIdempotency } from './dynamo-idempotency.ts';
import { ABSENT, accountKey, entryKey } from './dynamo-keys.ts';

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

  async settle({ payment, extraction, completion }: Settlement): Promise<SettlementOutcome> {
    const nowMs = Date.parse(extraction.createdAt);
    const parts = [
      ...(payment ? [{ part: 'account', write: this.#accountWrite(payment) } as const] : []),
      ...(payment ? [{ part: 'entry', write: this.#entryWrite(payment) } as const] : []),
      {
        part: 'extraction',
        write: {
          Put: { TableName: this.#tables.extractions, Item: extractionItem(extraction), ConditionExpression: ABSENT },
        },
      } as const,
      ...(completion
        ? [
            {
              part: 'claim',
              write: this.#idempotency.completion(completion.claim, completion.response, nowMs),
            } as const,
          ]
        : []),
    ];
    try {
      await this.#client.send(new TransactWriteCommand({ TransactItems: parts.map(({ write }) => write) }));
      return { kind: 'settled' };
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      const outcome = outcomeOf((part) => reasons[parts.findIndex((candidate) => candidate.part === part)], reasons);
      if (outcome === null) throw error;
      return outcome;
    }
  }

  #accountWrite({ before, after }: Payment) {
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

  #entryWrite({ entry }: Payment) {
    return {
      Put: {
        TableName: this.#tables.accounts,
        Item: { ...entryKey(entry.workspaceId, entry.entryId), ...entry },
        ConditionExpression: ABSENT,
      },
    };
  }
}

function outcomeOf(
  reasonOf: (part: 'account' | 'claim') => CancellationReason | undefined,
  reasons: readonly CancellationReason[],
): SettlementOutcome | null {
  // First: a call that has lost its key must not pay, whatever else happened.
  if (reasonOf('claim')?.Code === 'ConditionalCheckFailed') return { kind: 'claim_lost' };
  if (reasonOf('account')?.Code === 'ConditionalCheckFailed') return { kind: 'conflict' };
  const transient = ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];
  return reasons.some(({ Code }) => transient.includes(Code ?? '')) ? { kind: 'conflict' } : null;
}
