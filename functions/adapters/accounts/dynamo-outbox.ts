import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Notice, Outbox, WaitingNotice } from '../../accounts/domain/deliver-notices.ts';
import { above, and, atMost, equal } from '../dynamodb/expressions.ts';
import { epochSeconds, OUTBOX_PARTITION, outboxKey } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';

/** Age beyond which a notice is useless, even if it could not be delivered. */
const NOTICE_KEPT_SECONDS = 7 * 24 * 60 * 60;

/** A notice and the state of its delivery. */
export function outboxItem(notice: Notice) {
  return {
    ...outboxKey(notice.noticeId),
    notice,
    attempts: 0,
    notBeforeMs: 0,
    expiresAt: epochSeconds(Date.parse(notice.createdAt)) + NOTICE_KEPT_SECONDS,
  };
}

/** Notices share one partition, and stay for the seconds until they are delivered: a query finds them all. */
export class DynamoOutbox implements Outbox {
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#table = new DynamoTable(client, table);
  }

  async due(nowMs: number): Promise<WaitingNotice[]> {
    const waiting = this.#table.query<WaitingNotice>({
      partition: OUTBOX_PARTITION,
      filter: and(atMost('notBeforeMs', nowMs), above('expiresAt', epochSeconds(nowMs))),
    });
    const due: WaitingNotice[] = [];
    for await (const { notice, attempts } of waiting) due.push({ notice, attempts });
    return due;
  }

  take({ notice, attempts }: WaitingNotice, nextTryMs: number): Promise<boolean> {
    return this.#table.update(outboxKey(notice.noticeId), {
      set: { attempts: attempts + 1, notBeforeMs: nextTryMs },
      // Also false when the response was lost and the SDK sent it again: the notice is then late, but never sent twice.
      condition: equal('attempts', attempts),
    });
  }

  async add(notice: Notice): Promise<void> {
    await this.#table.put(outboxItem(notice));
  }

  async remove(noticeId: string): Promise<void> {
    await this.#table.delete(outboxKey(noticeId));
  }
}
