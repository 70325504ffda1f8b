import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { gathered } from '../functions/adapters/shared/gathered.ts';
import { chunks } from '../functions/shared/chunks.ts';
import { type CountRequests, yieldToRequests } from './yield-to-requests.ts';

export interface QueueConsumerOptions {
  readonly client: SQSClient;
  readonly queueUrl: string;
  /** Invocations at the same time. */
  readonly concurrency: number;
  /** Messages of one invocation, at most. */
  readonly batchSize: number;
  readonly timeoutSeconds: number;
  /** Before these it takes no messages while the machine is busy; absent: there are none. */
  readonly requests?: CountRequests;
  readonly invoke: (event: SQSEvent, context: { getRemainingTimeInMillis(): number }) => Promise<SQSBatchResponse>;
}

export interface QueueConsumer {
  /** Takes no more messages. An unfinished message comes again. */
  stop(): Promise<void>;
}

const AFTER_ERROR_MS = 1000;
/** The longest that SQS holds a request for messages open. */
const LONG_POLL_SECONDS = 20;
/** Limit of ReceiveMessage and DeleteMessageBatch. */
const MAX_MESSAGES_PER_CALL = 10;
/** A page takes seconds to read; who ends the service does not wait for it, and the next start reads it again. */
const GRACE_MS = 500;

/**
 * Runs a worker on a queue's messages as Lambda's event source does: one batch per invocation, with limited concurrency, and a message is
 * deleted unless the worker reports it as failed. Others are delivered again after the queue's visibility time-out, and become dead
 * letters after too many attempts.
 */
export function consumeQueue(options: QueueConsumerOptions): QueueConsumer {
  const { client, queueUrl, concurrency, batchSize, requests = () => 0 } = options;
  const ending = new AbortController();
  const { signal } = ending;
  const running = new Set<Promise<void>>();

  async function receive(max: number): Promise<readonly Message[]> {
    const command = new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: max,
      WaitTimeSeconds: LONG_POLL_SECONDS,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    });
    return (await client.send(command, { abortSignal: signal })).Messages ?? [];
  }

  async function work(messages: readonly Message[]): Promise<void> {
    const endsAtMs = Date.now() + options.timeoutSeconds * 1000;
    const context = { getRemainingTimeInMillis: () => Math.max(0, endsAtMs - Date.now()) };
    const { batchItemFailures } = await options.invoke({ Records: messages.map(recordOf) }, context);
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const done = messages.filter(({ MessageId = '' }) => !failed.has(MessageId));
    if (!signal.aborted) await Promise.all(done.map(remove));
  }

  const remove = gathered<Message>(MAX_MESSAGES_PER_CALL, async (messages) => {
    const Entries = messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    const { Failed = [] } = await client.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
    return new Map(Failed.map(({ Id, Message }) => [messages[Number(Id)]!, new Error(Message)]));
  });

  async function report(error: unknown): Promise<void> {
    if (signal.aborted) return;
    console.error('Queued messages could not be worked on:', error);
    await sleep(AFTER_ERROR_MS, undefined, { signal }).catch(() => undefined);
  }

  async function poll(): Promise<void> {
    while (!signal.aborted) {
      const free = concurrency - running.size;
      if (free === 0) await Promise.race(running);
      else {
        const max = (await yieldToRequests(requests)) ? 1 : Math.min(free * batchSize, MAX_MESSAGES_PER_CALL);
        const messages = await receive(max).catch(report);
        for (const batch of chunks(messages ?? [], batchSize)) {
          const invocation = work(batch)
            .catch(report)
            .finally(() => running.delete(invocation));
          running.add(invocation);
        }
      }
    }
    await Promise.all(running);
  }

  const polling = poll();
  return {
    async stop() {
      ending.abort();
      await Promise.race([polling, sleep(GRACE_MS, undefined, { ref: false })]);
    },
  };
}

function recordOf({
  MessageId = '',
  ReceiptHandle = '',
  Body = '',
  Attributes = {},
  MessageAttributes = {},
  MD5OfBody = '',
}: Message): SQSRecord {
  return {
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    attributes: Attributes as unknown as SQSRecord['attributes'],
    messageAttributes: Object.fromEntries(
      Object.entries(MessageAttributes).map(([name, { DataType = 'String', StringValue = '' }]) => [
        name,
        { dataType: DataType, stringValue: StringValue },
      ]),
    ),
    md5OfBody: MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: '',
    awsRegion: '',
  };
}
