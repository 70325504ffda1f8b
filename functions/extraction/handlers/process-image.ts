import type { Context, SQSEvent } from 'aws-lambda';
import { jobs } from '../batch-ports.ts';
import { processImage } from '../domain/batch/process-image.ts';
import { readAndSettlePorts } from '../extract-ports.ts';
import { eachImage } from '../image-messages.ts';
import { uploadsBucket } from '../uploads-bucket.ts';

const ports = { ...readAndSettlePorts(null), jobs: jobs(), store: uploadsBucket() };

export const handler = (event: SQSEvent, context: Pick<Context, 'getRemainingTimeInMillis'>) =>
  eachImage(event, (image) => processImage(image, ports.clock.now() + context.getRemainingTimeInMillis(), ports));
