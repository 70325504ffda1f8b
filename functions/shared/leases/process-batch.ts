import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod';
import { inSpanOf, middy } from '../middy.ts';
import type { Verdict } from './lease.ts';
import { parsedMessage, type RecordExchange } from './middleware/parsed-message.ts';
import { redelivery, type Visibility } from './middleware/redelivery.ts';
import { type RetrySchedule, retryDelayMs } from './retry-schedule.ts';

/** Messages of one queue. */
export interface Messages<Message> {
  readonly schema: z.ZodType<Message>;
  /** When a message whose processing failed is delivered again. */
  readonly retries: RetrySchedule;
  /** True where those of one event are processed side by side; otherwise it is one after another. */
  readonly isParallel?: boolean;
}

/**
 * Processes the messages of an event, each by middy, and reports those to deliver again: 'retry', or an error. A body that is not a message of
 * this queue is logged and acknowledged.
 */
export function processBatch<Message>(
  event: SQSEvent,
  { schema, retries, isParallel = false }: Messages<Message>,
  process: (message: Message) => Promise<Verdict>,
  queue: Visibility | null = null,
): Promise<SQSBatchResponse> {
  const processRecord = middy(process, inConsumerSpan)
    .use(redelivery((record) => retryDelaySeconds(retries, record), queue))
    .use(parsedMessage(schema));
  // One processor per event, since it holds the event's state and a local service processes several at once.
  return processPartialResponse(
    event,
    (record: SQSRecord) => processRecord(record),
    new BatchProcessor(EventType.SQS),
    {
      processInParallel: isParallel,
      throwOnFullBatchFailure: false,
    },
  );
}

type ProcessRecord = (record: SQSRecord) => Promise<Verdict>;

/** Below the span that sent the message. A source on this machine has no ARN. */
const inConsumerSpan = inSpanOf<RecordExchange, ProcessRecord>(({ messageId, messageAttributes, eventSourceARN }) => {
  const queue = eventSourceARN.split(':').at(-1) ?? '';
  const attributes = {
    'messaging.system': 'aws_sqs',
    'messaging.operation.type': 'process',
    'messaging.message.id': messageId,
    ...(queue !== '' && { 'messaging.destination.name': queue }),
  };
  return { name: 'process message', kind: 'consumer', attributes, parent: messageAttributes.traceparent?.stringValue };
});

export function retryDelaySeconds(
  retries: RetrySchedule,
  { attributes }: Pick<SQSRecord, 'attributes'>,
  random = Math.random,
): number {
  return Math.ceil(retryDelayMs(retries, Number(attributes.ApproximateReceiveCount), random) / 1000);
}
