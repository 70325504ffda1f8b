import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import { eachMessage, type Worked } from '../shared/each-message.ts';
import type { ImageId } from './domain/batch/job.ts';

const imageId = z.object({ workspaceId: z.string(), jobId: z.string(), index: z.int().nonnegative() });

/** Works off messages that name batch images. */
export function eachImage(event: SQSEvent, work: (image: ImageId) => Promise<Worked>): Promise<SQSBatchResponse> {
  return eachMessage(event, imageId, work);
}
