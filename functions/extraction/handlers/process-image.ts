import type { Context, SQSEvent } from 'aws-lambda';
import { logger } from '../../shared/logging.ts';
import type { ImageId } from '../domain/batch/job.ts';
import { processImage } from '../domain/batch/process-image.ts';
import { eachImage, pauseSeconds } from '../image-messages.ts';
import { countGivenUp, imageQueue, jobs, readAndSettlePorts, uploadsBucket } from '../wiring.ts';

const queue = imageQueue();
const ports = {
  ...readAndSettlePorts(null),
  jobs: jobs(),
  store: uploadsBucket(),
  onGivenUp(image: ImageId) {
    logger().error('An image has killed its workers, and is given up', { image });
    return countGivenUp();
  },
};

export const handler = (event: SQSEvent, context: Pick<Context, 'getRemainingTimeInMillis'>) =>
  eachImage(
    event,
    (image) => processImage(image, ports.clock.now() + context.getRemainingTimeInMillis(), ports),
    (record) => queue.comeAgain(record.receiptHandle, pauseSeconds(record)),
  );
