import type { Context, SQSEvent } from 'aws-lambda';
import { countMetric } from '../../adapters/shared/count-metric.ts';
import { processBatch } from '../../shared/leases/process-batch.ts';
import { logger } from '../../shared/logging.ts';
import { IMAGES_GIVEN_UP } from '../../shared/metric-names.ts';
import { imageLeases, imageQueue } from '../batch-ports.ts';
import { processImage } from '../domain/batch/process-image.ts';
import type { ImageId } from '../domain/image-outcome.ts';
import { readAndSettlePorts } from '../extract-ports.ts';
import { imageMessages } from '../image-messages.ts';
import { uploadsBucket } from '../uploads-bucket.ts';

const queue = imageQueue();
const ports = {
  ...readAndSettlePorts(null),
  leases: imageLeases(),
  store: uploadsBucket(),
  onGivenUp(image: ImageId) {
    logger().error('An image was failed: its workers crashed too many times', { image });
    return countMetric(IMAGES_GIVEN_UP);
  },
};

export const handler = (event: SQSEvent, context: Pick<Context, 'getRemainingTimeInMillis'>) =>
  processBatch(
    event,
    imageMessages,
    (image) => processImage(image, ports.clock.now() + context.getRemainingTimeInMillis(), ports),
    queue,
  );
