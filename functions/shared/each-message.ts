import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod';
import { logger } from './logging.ts';

/** 'done': the message is of no more use. 'again': it must be delivered again. */
export type Worked = 'done' | 'again';

/**
 * Works messages off, one after another, and tells the queue which of them must come again: `work` threw, or said so. What is
 * no message of ours is told and dropped, since no delivery will make it one.
 * @param comeAgain sets when such a message is delivered; without it, that is the queue's visibility time-out.
 */
export async function eachMessage<Message>(
  { Records }: SQSEvent,
  schema: z.ZodType<Message>,
  work: (message: Message) => Promise<Worked>,
  comeAgain: (record: SQSRecord) => Promise<void> = async () => undefined,
): Promise<SQSBatchResponse> {
  const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
  for (const record of Records) {
    const { messageId, body } = record;
    const message = messageOf(body, schema);
    if (message === null) {
      logger().error('A message is none of ours, and is dropped', { messageId, body });
      continue;
    }
    try {
      if ((await work(message)) === 'done') continue;
    } catch (error) {
      logger().error('A message could not be worked on', { messageId, body, error: error as Error });
    }
    batchItemFailures.push({ itemIdentifier: messageId });
    await comeAgain(record).catch((error: unknown) => logger().warn('A message comes late', { messageId, error }));
  }
  return { batchItemFailures };
}

function messageOf<Message>(body: string, schema: z.ZodType<Message>): Message | null {
  try {
    return schema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}
