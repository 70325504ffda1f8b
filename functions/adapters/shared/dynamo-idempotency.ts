import { gunzipSync, gzipSync } from 'node:zlib';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, type DynamoDBDocumentClient, PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import {
  type Claim,
  type ClaimOutcome,
  type ClaimRequest,
  IDEMPOTENCY_KEPT_SECONDS,
  type IdempotencyStore,
} from '../../shared/idempotency/idempotency-store.ts';
import { epochSeconds, idempotencyKey } from '../dynamodb/keys.ts';
import type { TransactItem } from '../dynamodb/transactions.ts';

/** An item without `response` belongs to a call in progress; `leaseUntilMs` says until when to believe that. */
interface IdempotencyItem {
  readonly bodyHash: string;
  readonly owner: string;
  readonly leaseUntilMs: number;
  readonly response?: Uint8Array;
}

export class DynamoIdempotency implements IdempotencyStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async claim(request: ClaimRequest): Promise<ClaimOutcome> {
    const { workspaceId, path, key, bodyHash, owner, nowMs, leaseUntilMs } = request;
    const item: IdempotencyItem = { bodyHash, owner, leaseUntilMs };
    try {
      await this.#client.send(
        new PutCommand({
          TableName: this.#table,
          Item: {
            ...idempotencyKey(workspaceId, path, key),
            ...item,
            expiresAt: epochSeconds(nowMs) + IDEMPOTENCY_KEPT_SECONDS,
          },
          // `owner = :owner`: the SDK repeats a put whose answer was lost, and must not take its own claim for another's.
          ConditionExpression:
            'attribute_not_exists(pk) OR expiresAt <= :nowSeconds OR ' +
            '(attribute_not_exists(#response) AND (leaseUntilMs <= :nowMs OR #owner = :owner))',
          ExpressionAttributeNames: { '#response': 'response', '#owner': 'owner' },
          ExpressionAttributeValues: { ':nowSeconds': epochSeconds(nowMs), ':nowMs': nowMs, ':owner': owner },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return { kind: 'claimed', claim: { workspaceId, path, key, owner } };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException) || error.Item === undefined) throw error;
      return outcomeOf(unmarshall(error.Item) as IdempotencyItem);
    }
  }

  async release({ workspaceId, path, key, owner }: Claim): Promise<void> {
    try {
      await this.#client.send(
        new DeleteCommand({
          TableName: this.#table,
          Key: idempotencyKey(workspaceId, path, key),
          ConditionExpression: STILL_OURS,
          ExpressionAttributeNames: STILL_OURS_NAMES,
          ExpressionAttributeValues: { ':owner': owner },
        }),
      );
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }

  /** The part of a paying transaction that completes the claim: it fails when the claim is no longer its owner's. */
  completion({ workspaceId, path, key, owner }: Claim, response: string, nowMs: number): TransactItem {
    return {
      Update: {
        TableName: this.#table,
        Key: idempotencyKey(workspaceId, path, key),
        UpdateExpression: 'SET #response = :response, expiresAt = :expiresAt',
        ConditionExpression: STILL_OURS,
        ExpressionAttributeNames: STILL_OURS_NAMES,
        ExpressionAttributeValues: {
          ':owner': owner,
          ':response': gzipSync(response),
          ':expiresAt': epochSeconds(nowMs) + IDEMPOTENCY_KEPT_SECONDS,
        },
      },
    };
  }

  /**
   * Frees every key that is held by a call in progress. Only for a service that is a single process, at its start: all
   * such calls died with the process before.
   */
  async releaseAll(): Promise<void> {
    const pages = paginateScan(
      { client: this.#client },
      {
        TableName: this.#table,
        ProjectionExpression: 'pk, sk',
        FilterExpression: 'attribute_not_exists(#response)',
        ExpressionAttributeNames: { '#response': 'response' },
        ConsistentRead: true,
      },
    );
    for await (const { Items = [] } of pages) {
      for (const { pk, sk } of Items) {
        await this.#client.send(new DeleteCommand({ TableName: this.#table, Key: { pk, sk } }));
      }
    }
  }
}

/** `completion` of those who may have no store, since no call of theirs has a key. */
export function completionIn(
  store: DynamoIdempotency | null,
  { claim, response }: { readonly claim: Claim; readonly response: string },
  nowMs: number,
): TransactItem {
  if (store === null) throw new Error('An Idempotency-Key is completed in its store, and there is none here.');
  return store.completion(claim, response, nowMs);
}

const STILL_OURS = 'attribute_not_exists(#response) AND #owner = :owner';
const STILL_OURS_NAMES = { '#response': 'response', '#owner': 'owner' };

function outcomeOf({ bodyHash, leaseUntilMs, response }: IdempotencyItem): ClaimOutcome {
  if (response === undefined) return { kind: 'in_progress', bodyHash, leaseUntilMs };
  return { kind: 'completed', bodyHash, response: gunzipSync(response).toString('utf8') };
}
