import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { SentReplies, SentReply } from '../../channels/domain/delivery/delivery-ports.ts';
import { DEAD_LETTER_KEPT_SECONDS, type DeadLetter } from '../../channels/domain/delivery/messages.ts';
import type { Backoff } from '../../shared/ports/backoff.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { PRESENT } from '../dynamodb/expressions.ts';
import { deadLetterKey, epochSeconds, sentReplyKey } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';
import { transactOrRetry } from '../dynamodb/transactions.ts';

/** A platform reports what it could not deliver within seconds, or when it gives up after days. */
const KEPT_SECONDS = 7 * 24 * 60 * 60;

/** An item for each part of a reply that a platform has accepted and may still report as failed. */
export class DynamoSentReplies implements SentReplies {
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

  async remember(sent: SentReply): Promise<void> {
    const key = sentReplyKey(sent.channelId, messageIdOf(sent));
    const expiresAt = epochSeconds(this.#ports.clock.now()) + KEPT_SECONDS;
    await this.#table.put({ ...key, sent: JSON.stringify(sent), expiresAt });
  }

  async bury(
    channelId: string,
    partId: string,
    death: Pick<DeadLetter, 'deadLetterId' | 'reason' | 'detail' | 'attempts' | 'diedAt'>,
  ): Promise<DeadLetter | null> {
    const key = sentReplyKey(channelId, partId);
    const item = await this.#table.get<{ readonly sent: string }>(key);
    if (item === null) return null;
    const letter: DeadLetter = { ...(JSON.parse(item.sent) as SentReply), ...death };
    const { workspaceId, deadLetterId, diedAt } = letter;
    const expiresAt = epochSeconds(Date.parse(diedAt)) + DEAD_LETTER_KEPT_SECONDS;
    const cancelled = await transactOrRetry(
      this.#client,
      [
        ['sent', this.#table.deletePart(key, PRESENT)],
        ['letter', this.#table.putPart({ ...letter, expiresAt, ...deadLetterKey(workspaceId, deadLetterId) })],
      ],
      this.#ports.backoff,
    );
    return cancelled === null ? letter : null;
  }
}

function messageIdOf({ message }: SentReply): string {
  return message.messageId;
}
