import type { SQSEvent } from 'aws-lambda';
import { systemClock } from '../../adapters/shared/system-ports.ts';
import { processBatch } from '../../shared/leases/process-batch.ts';
import { imageLeases, jobs } from '../batch-ports.ts';
import { giveUpImage } from '../domain/batch/reconcile-jobs.ts';
import { imageMessages } from '../image-messages.ts';

const ports = { jobs: jobs(), leases: imageLeases(), clock: systemClock };

export const handler = (event: SQSEvent) => processBatch(event, imageMessages, (image) => giveUpImage(image, ports));
