import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteMessageCommand, type Message, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';

export interface QueueConsumerOptions {
  readonly client: SQSClient;
  readonly queueUrl: string;
  /** Invocations at the same time. */
  readonly concurrency: number;
  readonly timeoutSeconds: number;
  readonly invoke: (event: SQSEvent, context: { getRemainingTimeInMillis(): number }) => Promise<SQSBatchResponse>;
}

export interface QueueConsumer {
  /** Takes no more messages. What is being worked on is left to its message, which comes again. */
  stop(): Promise<void>;
}

const AFTER_ERROR_MS = 1000;
/** The longest that SQS holds a request for messages open. */
const LONG_POLL_SECONDS = 20;
/** A page takes seconds to read; who ends the service does not wait for it, and the next start reads it again. */
const GRACE_MS = 500;

/**
 * Runs a worker on a queue's messages as Lambda's event source does: one message an invocation, so many at a time, and a
 * message is deleted only when the worker has not named it as failed. Whatever is not deleted is delivered again after the
 * queue's visibility time-out, and goes to the dead letters when that was too often.
 */
export function consumeQueue({
  client,
  queueUrl,
  concurrency,
  timeoutSeconds,
  invoke,
}: QueueConsumerOptions): QueueConsumer {
  const ending = new AbortController();
  const { signal } = ending;

  async function work(message: Message): Promise<void> {
    const endsAtMs = Date.now() + timeoutSeconds * 1000;
    const context = { getRemainingTimeInMillis: () => Math.max(0, endsAtMs - Date.now()) };
    const { batchItemFailures } = await invoke(eventOf(message), context);
    if (batchItemFailures.length > 0 || signal.aborted) return;
    await client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: message.ReceiptHandle }));
  }

  async function takeTurns(): Promise<void> {
    while (!signal.aborted) {
      try {
        const { Messages = [] } = await client.send(
          new ReceiveMessageCommand({
            QueueUrl: queueUrl,
            MaxNumberOfMessages: 1,
            WaitTimeSeconds: LONG_POLL_SECONDS,
            MessageSystemAttributeNames: ['All'],
          }),
          { abortSignal: signal },
        );
        for (const message of Messages) await work(message);
      } catch (error) {
        if (signal.aborted) return;
        console.error('A queued message could not be worked on:', error);
        await sleep(AFTER_ERROR_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  const turns = Array.from({ length: concurrency }, takeTurns);
  return {
    async stop() {
      ending.abort();
      await Promise.race([Promise.all(turns), sleep(GRACE_MS, undefined, { ref: false })]);
    },
  };
}

function eventOf({
  MessageId = '',
  ReceiptHandle = '',
  Body = '',
  Attributes = {},
  MD5OfBody = '',
}: Message): SQSEvent {
  return {
    Records: [
      {
        messageId: MessageId,
        receiptHandle: ReceiptHandle,
        body: Body,
        attributes: Attributes as unknown as SQSEvent['Records'][number]['attributes'],
        messageAttributes: {},
        md5OfBody: MD5OfBody,
        eventSource: 'aws:sqs',
        eventSourceARN: '',
        awsRegion: '',
      },
    ],
  };
}
