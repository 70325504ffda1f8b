import type { Context, SQSEvent } from 'aws-lambda';
import { processBatch } from '../../shared/leases/process-batch.ts';
import { logger } from '../../shared/logging.ts';
import { countGivenUp, imageLeases, imageQueue, jobs, readAndSettlePorts } from '../../wiring/extraction/extraction.ts';
import { serviceEvents } from '../../wiring/shared/service-events.ts';
import { processImage } from '../domain/batch/process-image.ts';
import type { ImageId } from '../domain/image-outcome.ts';
import { imageMessages } from '../image-messages.ts';
import { publishBatch } from '../publish-events.ts';

const queue = imageQueue();
const stored = { jobs: jobs(), events: serviceEvents() };
const ports = {
  ...readAndSettlePorts(),
  leases: imageLeases(),
  onGivenUp(image: ImageId) {
    logger().error('An image was failed: its workers crashed too many times', { image });
    return countGivenUp();
  },
};

export const handler = (event: SQSEvent, context: Pick<Context, 'getRemainingTimeInMillis'>) =>
  processBatch(
    event,
    imageMessages,
    async (image) => {
      const verdict = await processImage(image, ports.clock.now() + context.getRemainingTimeInMillis(), ports);
      if (verdict === 'ack') await publishBatch(image, stored);
      return verdict;
    },
    queue,
  );
