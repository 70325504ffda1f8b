import type { SQSEvent } from 'aws-lambda';
import { giveUpImage } from '../domain/batch/reconcile-jobs.ts';
import { eachImage } from '../image-messages.ts';
import { clock, jobs } from '../wiring.ts';

const ports = { jobs: jobs(), clock };

export const handler = (event: SQSEvent) => eachImage(event, (image) => giveUpImage(image, ports));
