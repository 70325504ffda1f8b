import { randomUUID } from 'node:crypto';
import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { ImageId } from '../../extraction/domain/batch/job.ts';
import type { ImageQueue } from '../../extraction/domain/batch/job-ports.ts';

/** As many as one SendMessageBatch takes. */
const MESSAGES_A_CALL = 10;

export class SqsImageQueue implements ImageQueue {
  readonly #client: SQSClient;
  readonly #queueUrl: string;

  constructor(client: SQSClient, queueUrl: string) {
    this.#client = client;
    this.#queueUrl = queueUrl;
  }

  async send(images: readonly ImageId[]): Promise<void> {
    const calls = Math.ceil(images.length / MESSAGES_A_CALL);
    await Promise.all(
      Array.from({ length: calls }, async (_, i) => {
        const some = images.slice(i * MESSAGES_A_CALL, (i + 1) * MESSAGES_A_CALL);
        const Entries = some.map(({ workspaceId, jobId, index }) => ({
          Id: randomUUID(),
          MessageBody: JSON.stringify({ workspaceId, jobId, index }),
        }));
        const { Failed = [] } = await this.#client.send(
          new SendMessageBatchCommand({ QueueUrl: this.#queueUrl, Entries }),
        );
        if (Failed.length > 0) throw new Error(`${Failed.length} messages were not queued: ${Failed[0]?.Message}`);
      }),
    );
  }
}
