import { createHash } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { OpenThreads } from '../../channels/domain/open-threads.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { epochSeconds, openThreadKey } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';

/** As long as a conversation is kept after its last message. */
const KEPT_SECONDS = 30 * 24 * 60 * 60;

/** An item for each thread. */
export class DynamoOpenThreads implements OpenThreads {
  readonly #table: DynamoTable;
  readonly #clock: Clock;

  constructor(client: DynamoDBDocumentClient, table: string, clock: Clock) {
    this.#table = new DynamoTable(client, table);
    this.#clock = clock;
  }

  async open(channelId: string, conversationId: string): Promise<void> {
    const expiresAt = epochSeconds(this.#clock.now()) + KEPT_SECONDS;
    await this.#table.put({ ...keyOf(channelId, conversationId), expiresAt });
  }

  async isOpen(channelId: string, conversationId: string): Promise<boolean> {
    const thread = await this.#table.get<{ readonly expiresAt: number }>(keyOf(channelId, conversationId));
    return thread !== null && thread.expiresAt > epochSeconds(this.#clock.now());
  }
}

function keyOf(channelId: string, conversationId: string) {
  return openThreadKey(channelId, createHash('sha256').update(conversationId).digest('base64url'));
}
