import { SQSClient } from '@aws-sdk/client-sqs';
import { dynamoClient } from '../adapters/aws/dynamo-client.ts';
import type { DynamoIdempotency } from '../adapters/aws/dynamo-idempotency.ts';
import { DynamoJobs } from '../adapters/aws/dynamo-jobs.ts';
import { SqsQueue } from '../adapters/aws/sqs-queue.ts';
import { jitteredBackoff, systemClock } from '../adapters/system-ports.ts';
import { environment } from '../shared/environment.ts';
import type { ImageId } from './domain/batch/job.ts';

/** @param idempotency of those who create jobs. */
export function jobs(idempotency: DynamoIdempotency | null = null): DynamoJobs {
  const { EXTRACTIONS_TABLE } = environment('EXTRACTIONS_TABLE');
  return new DynamoJobs(dynamoClient(), EXTRACTIONS_TABLE, idempotency, {
    clock: systemClock,
    backoff: jitteredBackoff,
  });
}

export function imageQueue(): SqsQueue<ImageId> {
  const { BATCH_IMAGES_QUEUE_URL } = environment('BATCH_IMAGES_QUEUE_URL');
  return new SqsQueue(new SQSClient({ useQueueUrlAsEndpoint: false }), BATCH_IMAGES_QUEUE_URL);
}
