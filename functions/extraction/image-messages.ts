import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import { logger } from '../shared/logging.ts';
import type { ImageId } from './domain/batch/job.ts';

const imageId = z.object({ workspaceId: z.string(), jobId: z.string(), index: z.int().nonnegative() });

/**
 * Works messages off, one after another, and tells the queue which of them must come again: `work` threw, or said so. What is
 * no message of ours is told and dropped, since no delivery will make it one.
 */
export async function eachImage(
  { Records }: SQSEvent,
  work: (image: ImageId) => Promise<'done' | 'again'>,
): Promise<SQSBatchResponse> {
  const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
  for (const { messageId, body } of Records) {
    const image = imageOf(body);
    if (image === null) {
      logger().error('A message names no batch image, and is dropped', { messageId, body });
      continue;
    }
    try {
      if ((await work(image)) === 'done') continue;
    } catch (error) {
      logger().error('A batch image could not be worked on', { messageId, body, error: error as Error });
    }
    batchItemFailures.push({ itemIdentifier: messageId });
  }
  return { batchItemFailures };
}

function imageOf(body: string): ImageId | null {
  try {
    return imageId.parse(JSON.parse(body));
  } catch {
    return null;
  }
}
