import type { SQSEvent } from 'aws-lambda';
import { systemClock } from '../../adapters/shared/system-ports.ts';
import { jobs } from '../batch-ports.ts';
import { giveUpImage } from '../domain/batch/reconcile-jobs.ts';
import { eachImage } from '../image-messages.ts';

const ports = { jobs: jobs(), clock: systemClock };

export const handler = (event: SQSEvent) => eachImage(event, (image) => giveUpImage(image, ports));
