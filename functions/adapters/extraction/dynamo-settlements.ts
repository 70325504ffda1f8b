import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Settlement, SettlementOutcome, Settlements } from '../../extraction/domain/settlement.ts';
import { type PostingPart, postingWrites } from '../accounts/posting-writes.ts';
import { ABSENT } from '../dynamodb/keys.ts';
import { type TransactItem, transact, type Writes } from '../dynamodb/transactions.ts';
import { completionIn, type DynamoIdempotency } from '../shared/dynamo-idempotency.ts';
import { extractionItem } from './dynamo-extractions.ts';
import { imageCompletion } from './dynamo-jobs.ts';

/** The writes of a settlement. */
type Part = PostingPart | 'extraction' | 'lease';

export interface SettlementTables {
  readonly accounts: string;
  readonly extractions: string;
}

export class DynamoSettlements implements Settlements {
  readonly #client: DynamoDBDocumentClient;
  readonly #tables: SettlementTables;
  readonly #idempotency: DynamoIdempotency | null;

  /** @param idempotency null where no call has an Idempotency-Key. */
  constructor(client: DynamoDBDocumentClient, tables: SettlementTables, idempotency: DynamoIdempotency | null) {
    this.#client = client;
    this.#tables = tables;
    this.#idempotency = idempotency;
  }

  async settle(settlement: Settlement): Promise<SettlementOutcome> {
    const cancelled = await transact(this.#client, this.#writesOf(settlement));
    if (cancelled === null) return { kind: 'settled' };
    // Checked first: a run without its lease must not try again, whatever else happened.
    if (cancelled.failed('lease')) return { kind: 'lease_lost' };
    if (cancelled.failed('account') || cancelled.isTransient) return { kind: 'conflict' };
    throw new Error(`Extraction ${settlement.extraction.extractionId} is stored already, or its ledger entry is.`);
  }

  #writesOf({ payment, extraction, completion }: Settlement): Writes<Part> {
    const writes: [Part, TransactItem][] = [['extraction', this.#extractionWrite(extraction)]];
    if (payment) for (const [part, write] of postingWrites(this.#tables.accounts, payment)) writes.push([part, write]);
    if (completion) {
      const { extractions } = this.#tables;
      const write =
        'lease' in completion
          ? imageCompletion(extractions, completion.lease, completion.outcome)
          : completionIn(this.#idempotency, completion, Date.parse(extraction.createdAt));
      writes.push(['lease', write]);
    }
    return writes;
  }

  #extractionWrite(extraction: Settlement['extraction']): TransactItem {
    const Item = extractionItem(extraction);
    return { Put: { TableName: this.#tables.extractions, Item, ConditionExpression: ABSENT } };
  }
}
