import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import { eachMessage, type Worked } from '../shared/each-message.ts';
import { queues } from '../shared/resources.ts';
import type { ImageId } from './domain/batch/job.ts';

const imageId = z.object({ workspaceId: z.string(), jobId: z.string(), index: z.int().nonnegative() });

const FIRST_PAUSE_SECONDS = 10;
const LONGEST_PAUSE_SECONDS = queues['batch-images'].visibilityTimeoutSeconds;

/** Works off messages that name batch images. @param comeAgain as eachMessage takes it. */
export function eachImage(
  event: SQSEvent,
  work: (image: ImageId) => Promise<Worked>,
  comeAgain?: (record: SQSRecord) => Promise<void>,
): Promise<SQSBatchResponse> {
  return eachMessage(event, imageId, work, comeAgain);
}

/**
 * Until a message comes again whose image failed for a passing reason: twice as long after each delivery, and spread over
 * the upper half of that, since images that a busy service has turned away were turned away together.
 */
export function pauseSeconds({ attributes }: Pick<SQSRecord, 'attributes'>, random = Math.random): number {
  const deliveries = Number(attributes.ApproximateReceiveCount);
  const longest = Math.min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** (deliveries - 1));
  return Math.ceil((longest / 2) * (1 + random()));
}
