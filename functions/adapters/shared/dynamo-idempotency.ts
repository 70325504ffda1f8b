import { gunzipSync, gzipSync } from 'node:zlib';
import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import {
  type Claim,
  type ClaimOutcome,
  type ClaimRequest,
  IDEMPOTENCY_KEPT_SECONDS,
  type IdempotencyStore,
} from '../../shared/idempotency/idempotency-store.ts';
import { ABSENT, and, atMost, type Condition, equal, missing, or } from '../dynamodb/expressions.ts';
import { epochSeconds, idempotencyKey } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';
import type { TransactItem } from '../dynamodb/transactions.ts';

/** An item without `response` belongs to a call in progress, whose lease lasts until `leaseUntilMs`. */
interface IdempotencyItem {
  readonly bodyHash: string;
  readonly owner: string;
  readonly leaseUntilMs: number;
  readonly response?: Uint8Array;
}

export class DynamoIdempotency implements IdempotencyStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #name: string;
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#name = table;
    this.#table = new DynamoTable(client, table);
  }

  async claim(request: ClaimRequest): Promise<ClaimOutcome> {
    const { workspaceId, path, key, bodyHash, owner, nowMs, leaseUntilMs } = request;
    const item: IdempotencyItem = { bodyHash, owner, leaseUntilMs };
    const expiresAt = epochSeconds(nowMs) + IDEMPOTENCY_KEPT_SECONDS;
    const outcome = await this.#table.put(
      { ...idempotencyKey(workspaceId, path, key), ...item, expiresAt },
      or(
        ABSENT,
        atMost('expiresAt', epochSeconds(nowMs)),
        // Its own claim is free too: the SDK repeats a put whose response was lost.
        and(missing('response'), or(atMost('leaseUntilMs', nowMs), equal('owner', owner))),
      ),
    );
    if (outcome.written) return { kind: 'claimed', claim: { workspaceId, path, key, owner } };
    return outcomeOf(outcome.item as unknown as IdempotencyItem);
  }

  async release({ workspaceId, path, key, owner }: Claim): Promise<void> {
    await this.#table.delete(idempotencyKey(workspaceId, path, key), stillHeldBy(owner));
  }

  /** The part of a paying transaction that completes the claim: it fails when the claim is no longer its owner's. */
  completion({ workspaceId, path, key, owner }: Claim, response: string, nowMs: number): TransactItem {
    return this.#table.updatePart(idempotencyKey(workspaceId, path, key), {
      set: { response: gzipSync(response), expiresAt: epochSeconds(nowMs) + IDEMPOTENCY_KEPT_SECONDS },
      condition: stillHeldBy(owner),
    });
  }

  /**
   * Frees every key that is held by a call in progress. Only for a service that is a single process, at its start: all
   * such calls died with the process before.
   */
  async releaseAll(): Promise<void> {
    const pages = paginateScan(
      { client: this.#client },
      {
        TableName: this.#name,
        ProjectionExpression: 'pk, sk',
        FilterExpression: 'attribute_not_exists(#response)',
        ExpressionAttributeNames: { '#response': 'response' },
        ConsistentRead: true,
      },
    );
    for await (const { Items = [] } of pages) {
      for (const { pk, sk } of Items) await this.#table.delete({ pk, sk });
    }
  }
}

/** The completion of a claim in a store that is null where no call has a key. */
export function completionIn(
  store: DynamoIdempotency | null,
  { claim, response }: { readonly claim: Claim; readonly response: string },
  nowMs: number,
): TransactItem {
  if (store === null) throw new Error('An Idempotency-Key is completed in its store, and there is none here.');
  return store.completion(claim, response, nowMs);
}

const stillHeldBy = (owner: string): Condition => and(missing('response'), equal('owner', owner));

function outcomeOf({ bodyHash, leaseUntilMs, response }: IdempotencyItem): ClaimOutcome {
  if (response === undefined) return { kind: 'in_progress', bodyHash, leaseUntilMs };
  return { kind: 'completed', bodyHash, response: gunzipSync(response).toString('utf8') };
}
