import { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SqsQueue } from '../../../functions/adapters/sqs/sqs-queue.ts';
import { deadLetterName } from '../../../functions/shared/resources.ts';
import { type EmbeddedSqs, startSqs } from '../../../local/embedded/sqs/server.ts';
import { consumeQueue, type QueueConsumer } from '../../../local/queue-consumer.ts';

const KEY = { accessKeyId: 'any', secretAccessKey: 'secret' };
const NAME = 'messages';

let sqs: EmbeddedSqs;
let client: SQSClient;
let consumer: QueueConsumer | undefined;

beforeAll(async () => {
  sqs = await startSqs(
    [
      {
        name: NAME,
        deadLetterName: deadLetterName(NAME),
        environment: 'QUEUE_URL',
        // Messages that are not delayed come again long after this test.
        visibilityTimeoutSeconds: 3600,
        retentionSeconds: 7200,
        maxReceiveCount: 10,
        deadLetterRetentionSeconds: 7200,
      },
    ],
    KEY,
  );
  client = new SQSClient({
    endpoint: sqs.url,
    region: 'us-east-1',
    useQueueUrlAsEndpoint: false,
    credentials: KEY,
  });
});
afterAll(async () => {
  await consumer?.stop();
  client.destroy();
  await sqs.stop();
});

it('sends any number of messages; one that is put off comes again then, and counts its deliveries', async () => {
  const queue = new SqsQueue<{ readonly workspaceId: string; readonly number: number }>(client, sqs.queueUrl(NAME));
  await queue.send(Array.from({ length: 23 }, (_, number) => ({ workspaceId: 'ws_1', number })));
  const deliveries: string[] = [];
  const seen = new Set<number>();
  consumer = consumeQueue({
    client,
    queueUrl: sqs.queueUrl(NAME),
    concurrency: 2,
    batchSize: 1,
    timeoutSeconds: 60,
    async invoke({ Records }) {
      const [{ body, receiptHandle, messageId, attributes }] = Records as [(typeof Records)[number]];
      const { number } = JSON.parse(body) as { number: number };
      seen.add(number);
      if (number === 0) deliveries.push(attributes.ApproximateReceiveCount);
      if (number > 0 || deliveries.length === 3) return { batchItemFailures: [] };
      await queue.changeVisibility(receiptHandle, 1);
      return { batchItemFailures: [{ itemIdentifier: messageId }] };
    },
  });
  await expect.poll(() => deliveries, { timeout: 60_000 }).toEqual(['1', '2', '3']);
  await expect.poll(() => seen.size, { timeout: 60_000 }).toBe(23);
});
