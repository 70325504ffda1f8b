import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { SlowRuns } from '../../channels/domain/slow-answers.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { epochSeconds, slowAnswerKey, slowAnswersOf } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';

/** An item for each slow answer, which expires with its worker. */
export class DynamoSlowRuns implements SlowRuns {
  readonly #table: DynamoTable;
  readonly #clock: Clock;

  constructor(client: DynamoDBDocumentClient, table: string, clock: Clock) {
    this.#table = new DynamoTable(client, table);
    this.#clock = clock;
  }

  async add(workspaceId: string, messageId: string, untilMs: number): Promise<void> {
    await this.#table.put({ ...slowAnswerKey(workspaceId, messageId), untilMs, expiresAt: epochSeconds(untilMs) });
  }

  async remove(workspaceId: string, messageId: string): Promise<void> {
    await this.#table.delete(slowAnswerKey(workspaceId, messageId));
  }

  async count(workspaceId: string, max: number): Promise<number> {
    let count = 0;
    // TTL removes items late: those past their time are not counted.
    for await (const { untilMs } of this.#table.query<{ untilMs: number }>({ partition: slowAnswersOf(workspaceId) }))
      if (untilMs > this.#clock.now() && ++count === max) break;
    return count;
  }
}
