import { dynamoClient } from '../adapters/dynamodb/client.ts';
import { DynamoImageLeases } from '../adapters/extraction/dynamo-image-leases.ts';
import { DynamoJobs } from '../adapters/extraction/dynamo-jobs.ts';
import { DynamoOpenJobs } from '../adapters/extraction/dynamo-open-jobs.ts';
import type { DynamoIdempotency } from '../adapters/shared/dynamo-idempotency.ts';
import { jitteredBackoff, systemClock } from '../adapters/shared/system-ports.ts';
import { type MessageQueue, queueByUrl } from '../adapters/sqs/queue-by-url.ts';
import { environment } from '../shared/environment.ts';
import type { ImageId } from './domain/image-outcome.ts';

/** @param idempotency null where no jobs are created. */
export function jobs(idempotency: DynamoIdempotency | null = null): DynamoJobs {
  const { EXTRACTIONS_TABLE } = environment('EXTRACTIONS_TABLE');
  return new DynamoJobs(dynamoClient(), EXTRACTIONS_TABLE, idempotency, {
    clock: systemClock,
    backoff: jitteredBackoff,
  });
}

export function imageLeases(): DynamoImageLeases {
  const { EXTRACTIONS_TABLE } = environment('EXTRACTIONS_TABLE');
  return new DynamoImageLeases(dynamoClient(), EXTRACTIONS_TABLE);
}

export function openJobs(): DynamoOpenJobs {
  const { EXTRACTIONS_TABLE } = environment('EXTRACTIONS_TABLE');
  return new DynamoOpenJobs(dynamoClient(), EXTRACTIONS_TABLE);
}

export function imageQueue(): MessageQueue<ImageId> {
  const { BATCH_IMAGES_QUEUE_URL } = environment('BATCH_IMAGES_QUEUE_URL');
  return queueByUrl(BATCH_IMAGES_QUEUE_URL);
}
