import { DynamoImageLeases } from '../../functions/adapters/extraction/dynamo-image-leases.ts';
import { DynamoJobs } from '../../functions/adapters/extraction/dynamo-jobs.ts';
import { DynamoOpenJobs } from '../../functions/adapters/extraction/dynamo-open-jobs.ts';
import { DynamoIdempotency } from '../../functions/adapters/shared/dynamo-idempotency.ts';
import type { ImageId } from '../../functions/extraction/domain/image-outcome.ts';
import type { TestClock } from './clock.ts';
import { type EmbeddedDynamo, TABLES } from './embedded-dynamo.ts';
import { drugPage, extractPorts } from './extract-flow.ts';
import { imageStore, instantBackoff, messageList } from './fakes.ts';

/** The ports of batches over the embedded DynamoDB, the messages in a list; every image is read as the same drug page. */
export function batchFlow(dynamo: EmbeddedDynamo, clock: TestClock) {
  const { client } = dynamo;
  const idempotency = new DynamoIdempotency(client, TABLES.idempotency);
  const { messages, queue } = messageList<ImageId>();
  const givenUp: ImageId[] = [];
  const ports = {
    ...extractPorts(dynamo, clock, drugPage),
    idempotency,
    jobs: new DynamoJobs(client, TABLES.extractions, idempotency, { clock, backoff: instantBackoff }),
    leases: new DynamoImageLeases(client, TABLES.extractions),
    openJobs: new DynamoOpenJobs(client, TABLES.extractions),
    queue,
    uploads: imageStore(),
    onUnsent: () => undefined,
    onGivenUp: async (image: ImageId) => void givenUp.push(image),
  };
  return { ports, messages, givenUp };
}
