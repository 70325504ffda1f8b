import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Settlement, SettlementOutcome, Settlements } from '../../extraction/domain/settlement.ts';
import { usagePart } from '../accounts/dynamo-usage.ts';
import { type PostingPart, postingWrites } from '../accounts/posting-writes.ts';
import { DynamoTable } from '../dynamodb/table.ts';
import { type TransactItem, transact, type Writes } from '../dynamodb/transactions.ts';
import { completionIn, type DynamoIdempotency } from '../shared/dynamo-idempotency.ts';
import { extractionItem } from './dynamo-extractions.ts';
import { imageCompletion } from './dynamo-image-leases.ts';

/** The writes of a settlement. */
type Part = PostingPart | 'extraction' | 'usage' | 'lease';

export interface SettlementTables {
  readonly accounts: string;
  readonly extractions: string;
  readonly usage: string;
}

export class DynamoSettlements implements Settlements {
  readonly #client: DynamoDBDocumentClient;
  readonly #accounts: DynamoTable;
  readonly #extractions: DynamoTable;
  readonly #usage: DynamoTable;
  readonly #idempotency: DynamoIdempotency;

  constructor(client: DynamoDBDocumentClient, tables: SettlementTables, idempotency: DynamoIdempotency) {
    this.#client = client;
    this.#accounts = new DynamoTable(client, tables.accounts);
    this.#extractions = new DynamoTable(client, tables.extractions);
    this.#usage = new DynamoTable(client, tables.usage);
    this.#idempotency = idempotency;
  }

  async settle(settlement: Settlement): Promise<SettlementOutcome> {
    const cancelled = await transact(this.#client, this.#writesOf(settlement));
    if (cancelled === null) return { kind: 'settled' };
    // Checked first: a run without its lease must not retry, even if other conditions failed too.
    if (cancelled.failed('lease')) return { kind: 'lease_lost' };
    if (cancelled.failed('account') || cancelled.isTransient) return { kind: 'conflict' };
    throw new Error(`Extraction ${settlement.extractionId} is stored already, or its ledger entry is.`);
  }

  #writesOf({ payment, extraction, usage, completion, nowMs }: Settlement): Writes<Part> {
    const writes: [Part, TransactItem][] = [];
    if (extraction) writes.push(['extraction', this.#extractions.putPart(extractionItem(extraction))]);
    if (payment) for (const [part, write] of postingWrites(this.#accounts, payment)) writes.push([part, write]);
    if (usage) writes.push(['usage', usagePart(this.#usage, usage)]);
    if (completion) {
      const write =
        'lease' in completion
          ? imageCompletion(this.#extractions, completion.lease, completion.outcome)
          : completionIn(this.#idempotency, completion, nowMs);
      writes.push(['lease', write]);
    }
    return writes;
  }
}
