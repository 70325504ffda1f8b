import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AnswerRuns } from '../../channels/domain/answer-shares.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { answerRunKey, answerRunsOf, epochSeconds } from '../dynamodb/keys.ts';
import { DynamoTable, type Key } from '../dynamodb/table.ts';

/** An item for each answer that is being made, in the order of their starts; it expires with its worker. */
export class DynamoAnswerRuns implements AnswerRuns {
  readonly #table: DynamoTable;
  readonly #clock: Clock;

  constructor(client: DynamoDBDocumentClient, table: string, clock: Clock) {
    this.#table = new DynamoTable(client, table);
    this.#clock = clock;
  }

  async begin(workspaceId: string, messageId: string, untilMs: number, max: number) {
    const key = answerRunKey(workspaceId, this.#clock.now(), messageId);
    await this.#table.put({ ...key, untilMs, expiresAt: epochSeconds(untilMs) });
    const end = async () => void (await this.#table.delete(key));
    // Stored first, so that of several that begin at once exactly as many find room.
    if (await this.#isAmongFirst(workspaceId, key, max)) return end;
    await end();
    return null;
  }

  async #isAmongFirst(workspaceId: string, { sk }: Key, max: number): Promise<boolean> {
    const runs = this.#table.query<Key & { untilMs: number }>({ partition: answerRunsOf(workspaceId) });
    let before = 0;
    for await (const run of runs) {
      if (run.sk === sk) return true;
      // TTL removes items late: those past their time are not counted.
      if (run.untilMs > this.#clock.now() && ++before === max) return false;
    }
    return true;
  }
}
