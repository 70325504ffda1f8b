import { createHash } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ConversationIds } from '../../channels/domain/channel-ports.ts';
import type { Rename } from '../../channels/domain/inbound-message.ts';
import type { Backoff } from '../../shared/ports/backoff.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { conversationIdKey, epochSeconds, formerIdKey } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';
import { transactOrRetry } from '../dynamodb/transactions.ts';

const DAY_SECONDS = 24 * 60 * 60;
/** Longer than a conversation is kept after its last message. */
const KEPT_SECONDS = 90 * DAY_SECONDS;
/** Written anew when it has less than this left. */
const RENEWED_BEFORE_SECONDS = 45 * DAY_SECONDS;

interface Known {
  readonly lasting: string;
  readonly expiresAt: number;
}

/** An item for each later id, which names the id that the conversation is kept by: the first one that it was known by. */
export class DynamoConversationIds implements ConversationIds {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;
  readonly #ports: { readonly clock: Clock; readonly backoff: Backoff };

  constructor(
    client: DynamoDBDocumentClient,
    table: string,
    ports: { readonly clock: Clock; readonly backoff: Backoff },
  ) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
    this.#ports = ports;
  }

  async lasting(channelId: string, { id, former }: Rename): Promise<string> {
    const key = conversationIdKey(channelId, hashOf(id));
    const now = epochSeconds(this.#ports.clock.now());
    const expiresAt = now + KEPT_SECONDS;
    const known = await this.#table.get<Known>(key);
    if (known !== null) {
      if (known.expiresAt < now + RENEWED_BEFORE_SECONDS)
        await this.#table.put({ ...key, lasting: known.lasting, expiresAt });
      return known.lasting;
    }
    if (former !== null) {
      // Both or neither: an earlier id belongs to the first later one that names it.
      const cancelled = await transactOrRetry(
        this.#client,
        [
          ['former', this.#table.putPart({ ...formerIdKey(channelId, hashOf(former)), expiresAt })],
          ['known', this.#table.putPart({ ...key, lasting: former, expiresAt })],
        ],
        this.#ports.backoff,
      );
      if (cancelled === null) return former;
      if (cancelled.failed('known')) return (await this.#table.get<Known>(key))?.lasting ?? id;
    }
    await this.#table.put({ ...key, lasting: id, expiresAt });
    return id;
  }
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}
