import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, type DynamoDBDocumentClient, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Outbox, WaitingNotice } from '../../accounts/domain/deliver-notices.ts';
import type { LowBalanceNotice } from '../../accounts/domain/low-balance.ts';
import { epochSeconds, OUTBOX_PARTITION, outboxKey } from '../dynamodb/keys.ts';

/** Nobody wants to hear of a low balance later than this, whatever was in the way. */
const NOTICE_KEPT_SECONDS = 7 * 24 * 60 * 60;

/** A notice and how far its delivery has come. */
export function outboxItem(notice: LowBalanceNotice) {
  return {
    ...outboxKey(notice.noticeId),
    notice,
    attempts: 0,
    notBeforeMs: 0,
    expiresAt: epochSeconds(Date.parse(notice.createdAt)) + NOTICE_KEPT_SECONDS,
  };
}

/** Notices lie in one partition, and only for the seconds until they are delivered: a query finds them all. */
export class DynamoOutbox implements Outbox {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async due(nowMs: number): Promise<WaitingNotice[]> {
    const pages = paginateQuery(
      { client: this.#client },
      {
        TableName: this.#table,
        KeyConditionExpression: 'pk = :outbox',
        FilterExpression: 'notBeforeMs <= :nowMs AND expiresAt > :nowSeconds',
        ExpressionAttributeValues: {
          ':outbox': OUTBOX_PARTITION,
          ':nowMs': nowMs,
          ':nowSeconds': epochSeconds(nowMs),
        },
        ConsistentRead: true,
      },
    );
    const due: WaitingNotice[] = [];
    for await (const { Items = [] } of pages)
      for (const { notice, attempts } of Items as WaitingNotice[]) due.push({ notice, attempts });
    return due;
  }

  async take({ notice, attempts }: WaitingNotice, nextTryMs: number): Promise<boolean> {
    try {
      await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: outboxKey(notice.noticeId),
          UpdateExpression: 'SET attempts = :after, notBeforeMs = :nextTryMs',
          // False too when the answer was lost and the SDK asked again: the notice is then late, but never sent twice.
          ConditionExpression: 'attempts = :before',
          ExpressionAttributeValues: { ':before': attempts, ':after': attempts + 1, ':nextTryMs': nextTryMs },
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  async remove(noticeId: string): Promise<void> {
    await this.#client.send(new DeleteCommand({ TableName: this.#table, Key: outboxKey(noticeId) }));
  }
}
