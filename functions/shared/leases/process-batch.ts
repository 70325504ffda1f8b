import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod';
import { logger } from '../logging.ts';
import type { SpanOptions } from '../tracing/span.ts';
import { inSpan } from '../tracing/spans.ts';
import type { Verdict } from './lease.ts';
import { type RetrySchedule, retryDelayMs } from './retry-schedule.ts';

/** Messages of one queue. */
export interface Messages<Message> {
  readonly schema: z.ZodType<Message>;
  /** When a message whose processing failed is delivered again. */
  readonly retries: RetrySchedule;
  /** True where those of one event are processed side by side; otherwise it is one after another. */
  readonly isParallel?: boolean;
}

/** Changes the delay of a retry; without it the queue's visibility time-out is the delay. */
export interface Visibility {
  changeVisibility(receiptHandle: string, seconds: number): Promise<void>;
}

/**
 * Processes the messages of an event, and reports those to deliver again: 'retry', or an error. A body that is no message of
 * this queue is logged and acknowledged: no delivery would make it one.
 */
export function processBatch<Message>(
  event: SQSEvent,
  { schema, retries, isParallel = false }: Messages<Message>,
  process: (message: Message) => Promise<Verdict>,
  queue: Visibility | null = null,
): Promise<SQSBatchResponse> {
  const processRecord = (record: SQSRecord): Promise<void> =>
    inSpan('process message', consumerSpan(record), () => processInSpan(record));
  const processInSpan = async (record: SQSRecord): Promise<void> => {
    const { messageId, body, receiptHandle } = record;
    const message = messageOf(body, schema);
    if (message === null) return logger().error('A message of an unknown form was dropped', { messageId, body });
    const verdict = await process(message).catch((error: Error): Verdict => {
      logger().error('A message could not be processed', { messageId, body, error });
      return 'retry';
    });
    if (verdict === 'ack') return;
    await queue
      ?.changeVisibility(receiptHandle, retryDelaySeconds(retries, record))
      .catch((error: Error) => logger().warn('The delay of a message could not be set', { messageId, error }));
    throw new Retry();
  };
  // One processor per event, since it holds the event's state and a local service processes several at once.
  return processPartialResponse(event, processRecord, new BatchProcessor(EventType.SQS), {
    processInParallel: isParallel,
    throwOnFullBatchFailure: false,
  });
}

/** Below the span that sent the message. A source on this machine has no ARN. */
function consumerSpan({ messageId, messageAttributes, eventSourceARN }: SQSRecord): SpanOptions {
  const parent = messageAttributes.traceparent?.stringValue;
  const queue = eventSourceARN.split(':').at(-1) ?? '';
  const attributes = {
    ...{ 'messaging.system': 'aws_sqs', 'messaging.operation.type': 'process', 'messaging.message.id': messageId },
    ...(queue !== '' && { 'messaging.destination.name': queue }),
  };
  return { kind: 'consumer', attributes, parent };
}

/** Reports a message as failed. */
class Retry extends Error {}

export function retryDelaySeconds(
  retries: RetrySchedule,
  { attributes }: Pick<SQSRecord, 'attributes'>,
  random = Math.random,
): number {
  return Math.ceil(retryDelayMs(retries, Number(attributes.ApproximateReceiveCount), random) / 1000);
}

function messageOf<Message>(body: string, schema: z.ZodType<Message>): Message | null {
  try {
    return schema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}
