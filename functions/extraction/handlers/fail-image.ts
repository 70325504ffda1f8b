import type { SQSEvent } from 'aws-lambda';
import { processBatch } from '../../shared/leases/process-batch.ts';
import { clock, imageLeases, jobs, onDeadLetter } from '../../wiring/extraction/extraction.ts';
import { giveUpImage } from '../domain/batch/reconcile-jobs.ts';
import { imageMessages } from '../image-messages.ts';

const ports = { jobs: jobs(), leases: imageLeases(), clock };

export const handler = (event: SQSEvent) =>
  processBatch(event, imageMessages, async (image) => {
    await onDeadLetter({ ...image });
    return giveUpImage(image, ports);
  });
