import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { SqsQueue } from '../../../functions/adapters/sqs/sqs-queue.ts';
import { imageMessages } from '../../../functions/extraction/image-messages.ts';
import { processBatch } from '../../../functions/shared/leases/process-batch.ts';
import { deadLetterName } from '../../../functions/shared/resources.ts';
import { type EmbeddedSqs, startSqs } from '../../../local/embedded/sqs/server.ts';
import { consumeQueue, type QueueConsumer } from '../../../local/queue-consumer.ts';

const KEY = { accessKeyId: 'any', secretAccessKey: 'secret' };
const DONE: SQSBatchResponse = { batchItemFailures: [] };
const names = Array.from({ length: 6 }, () => `queue-${randomUUID()}`);
/** Its messages come again on their own only when the tests are long over. */
const slowName = `queue-${randomUUID()}`;

let sqs: EmbeddedSqs;
let client: SQSClient;
let consumers: QueueConsumer[] = [];

beforeAll(async () => {
  sqs = await startSqs(
    [...names, slowName].map((name) => ({
      name,
      deadLetterName: deadLetterName(name),
      environment: 'QUEUE_URL',
      visibilityTimeoutSeconds: name === slowName ? 3600 : 1,
      retentionSeconds: 600,
      maxReceiveCount: 2,
      deadLetterRetentionSeconds: 600,
    })),
    KEY,
  );
  client = new SQSClient({
    endpoint: sqs.url,
    region: 'us-east-1',
    useQueueUrlAsEndpoint: false,
    credentials: KEY,
  });
});
afterEach(async () => {
  await Promise.all(consumers.map((consumer) => consumer.stop()));
  consumers = [];
});
afterAll(async () => {
  client.destroy();
  await sqs.stop();
});

function consume(
  queueUrl: string,
  invoke: (event: SQSEvent) => Promise<SQSBatchResponse>,
  { concurrency = 1, batchSize = 1 } = {},
) {
  consumers.push(consumeQueue({ client, queueUrl, concurrency, batchSize, timeoutSeconds: 60, invoke }));
}

const send = (QueueUrl: string, MessageBody: string) => client.send(new SendMessageCommand({ QueueUrl, MessageBody }));

/** Messages in the queue, received or not. */
async function leftIn(QueueUrl: string): Promise<number> {
  const { Attributes } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
  const { ApproximateNumberOfMessages: waiting, ApproximateNumberOfMessagesNotVisible: taken } = Attributes!;
  return Number(waiting) + Number(taken);
}

it('the consumer passes one message per invocation, and deletes completed ones', async () => {
  const url = sqs.queueUrl(names[0]!);
  const bodies: string[] = [];
  for (const body of ['a', 'b', 'c']) await send(url, body);
  consume(url, async ({ Records }) => {
    expect(Records).toHaveLength(1);
    bodies.push(Records[0]!.body);
    return DONE;
  });
  await expect.poll(() => leftIn(url), { timeout: 30_000 }).toBe(0);
  expect(bodies.sort()).toEqual(['a', 'b', 'c']);
});

it('gives a worker several messages an invocation, and delivers again only those that it names as failed', async () => {
  const url = sqs.queueUrl(names[4]!);
  for (let i = 0; i < 25; i++) await send(url, String(i));
  const batches: number[] = [];
  const bodies: string[] = [];
  consume(
    url,
    async ({ Records }) => {
      batches.push(Records.length);
      bodies.push(...Records.map(({ body }) => body));
      const failed = Records.filter(
        ({ body, attributes }) => body === '7' && attributes.ApproximateReceiveCount === '1',
      );
      return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    },
    { batchSize: 10 },
  );
  await expect.poll(() => leftIn(url), { timeout: 30_000 }).toBe(0);
  expect(batches.slice(0, 3)).toEqual([10, 10, 5]);
  expect(bodies.toSorted()).toEqual([...Array.from({ length: 25 }, (_, i) => String(i)), '7'].toSorted());
});

it('gives messages of a tenant before the backlog of another', async () => {
  const url = sqs.queueUrl(names[5]!);
  const queue = new SqsQueue<{ readonly workspaceId: string }>(client, url);
  await queue.send(Array.from({ length: 5_000 }, () => ({ workspaceId: 'ws_greedy' })));
  await queue.send([{ workspaceId: 'ws_small' }, { workspaceId: 'ws_small' }]);
  const order: string[] = [];
  consume(url, async ({ Records }) => {
    order.push(JSON.parse(Records[0]!.body).workspaceId);
    return DONE;
  });
  await expect.poll(() => order.filter((id) => id === 'ws_small').length, { timeout: 30_000 }).toBe(2);
  expect(order.lastIndexOf('ws_small')).toBeLessThan(20);
});

it('runs as many invocations at the same time as it may, and no more', async () => {
  const url = sqs.queueUrl(names[1]!);
  for (let i = 0; i < 6; i++) await send(url, String(i));
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++running);
    await sleep(100);
    running--;
    return DONE;
  };
  consume(url, work, { concurrency: 3 });
  await expect.poll(() => leftIn(url), { timeout: 30_000 }).toBe(0);
  expect(most).toBe(3);
});

it.each([
  ['throws', async () => Promise.reject(new Error('poisoned'))],
  [
    'names it as failed',
    async ({ Records }: SQSEvent) => ({ batchItemFailures: [{ itemIdentifier: Records[0]!.messageId }] }),
  ],
])('delivers again what a worker %s, and then lets the dead letters have it', async (how, fail) => {
  const name = names[how === 'throws' ? 2 : 3]!;
  const receives: string[] = [];
  const dead: string[] = [];
  await send(sqs.queueUrl(name), 'poison');
  consume(sqs.queueUrl(name), async (event) => {
    receives.push(event.Records[0]!.attributes.ApproximateReceiveCount);
    return fail(event);
  });
  consume(sqs.deadLettersUrl(name), async ({ Records }) => {
    dead.push(Records[0]!.body);
    return DONE;
  });
  await expect.poll(() => dead, { timeout: 30_000 }).toEqual(['poison']);
  expect(receives).toEqual(['1', '2']);
});

it('an image that fails for a passing reason comes again after its retry delay, not after the time-out of the queue', async () => {
  const url = sqs.queueUrl(slowName);
  const queue = new SqsQueue(client, url);
  const image = { workspaceId: 'ws_1', jobId: 'job_1', index: 0 };
  await queue.send([image]);
  const seen: unknown[] = [];
  consume(url, (event) =>
    processBatch(
      event,
      imageMessages,
      async (id) => {
        seen.push(id);
        if (seen.length === 1) throw new Error('Textract is busy');
        return 'ack';
      },
      queue,
    ),
  );
  await expect.poll(() => seen, { timeout: 60_000 }).toEqual([image, image]);
  await expect.poll(() => leftIn(url), { timeout: 30_000 }).toBe(0);
});
