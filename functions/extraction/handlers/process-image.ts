import type { Context, SQSEvent } from 'aws-lambda';
import { countMetric } from '../../adapters/shared/count-metric.ts';
import { logger } from '../../shared/logging.ts';
import { IMAGES_GIVEN_UP } from '../../shared/metric-names.ts';
import { imageQueue, jobs } from '../batch-ports.ts';
import type { ImageId } from '../domain/batch/job.ts';
import { processImage } from '../domain/batch/process-image.ts';
import { readAndSettlePorts } from '../extract-ports.ts';
import { eachImage, pauseSeconds } from '../image-messages.ts';
import { uploadsBucket } from '../uploads-bucket.ts';

const queue = imageQueue();
const ports = {
  ...readAndSettlePorts(null),
  jobs: jobs(),
  store: uploadsBucket(),
  onGivenUp(image: ImageId) {
    logger().error('An image has killed its workers, and is given up', { image });
    return countMetric(IMAGES_GIVEN_UP);
  },
};

export const handler = (event: SQSEvent, context: Pick<Context, 'getRemainingTimeInMillis'>) =>
  eachImage(
    event,
    (image) => processImage(image, ports.clock.now() + context.getRemainingTimeInMillis(), ports),
    (record) => queue.comeAgain(record.receiptHandle, pauseSeconds(record)),
  );
