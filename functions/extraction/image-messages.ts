import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import { logger } from '../shared/logging.ts';
import type { ImageId } from './domain/batch/job.ts';

const message = z.object({ workspaceId: z.string(), jobId: z.string(), index: z.int().nonnegative() });

/**
 * Works messages off, one after another, and tells the queue which of them must come again: `work` threw, or said so. What is
 * no message of ours goes the way of all that fails, to the dead letters, and ends there.
 */
export async function eachImage(
  { Records }: SQSEvent,
  work: (image: ImageId) => Promise<'done' | 'again'>,
): Promise<SQSBatchResponse> {
  const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
  for (const { messageId, body } of Records) {
    try {
      if ((await work(message.parse(JSON.parse(body)))) === 'done') continue;
    } catch (error) {
      logger().error('A batch image could not be worked on', { messageId, body, error: error as Error });
    }
    batchItemFailures.push({ itemIdentifier: messageId });
  }
  return { batchItemFailures };
}
