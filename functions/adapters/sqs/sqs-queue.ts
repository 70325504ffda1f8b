import { randomUUID } from 'node:crypto';
import { ChangeMessageVisibilityCommand, SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** As many as one SendMessageBatch takes. */
const MESSAGES_A_CALL = 10;

/** A queue of messages in JSON. */
export class SqsQueue<Message extends object> {
  readonly #client: SQSClient;
  readonly #queueUrl: string;

  constructor(client: SQSClient, queueUrl: string) {
    this.#client = client;
    this.#queueUrl = queueUrl;
  }

  async send(messages: readonly Message[]): Promise<void> {
    const calls = Math.ceil(messages.length / MESSAGES_A_CALL);
    await Promise.all(
      Array.from({ length: calls }, async (_, i) => {
        const some = messages.slice(i * MESSAGES_A_CALL, (i + 1) * MESSAGES_A_CALL);
        const Entries = some.map((message) => ({ Id: randomUUID(), MessageBody: JSON.stringify(message) }));
        const { Failed = [] } = await this.#client.send(
          new SendMessageBatchCommand({ QueueUrl: this.#queueUrl, Entries }),
        );
        if (Failed.length > 0) throw new Error(`${Failed.length} messages were not queued: ${Failed[0]?.Message}`);
      }),
    );
  }

  /** Has a message that is being worked on delivered again after so many seconds, not after the queue's own time. */
  async comeAgain(receiptHandle: string, seconds: number): Promise<void> {
    await this.#client.send(
      new ChangeMessageVisibilityCommand({
        QueueUrl: this.#queueUrl,
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: seconds,
      }),
    );
  }
}
