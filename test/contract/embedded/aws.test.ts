import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DescribeTableCommand, DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import {
  ChangeMessageVisibilityCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BucketDefinition, buckets, deadLetterName, queues, tables } from '../../../functions/shared/resources.ts';
import { type EmbeddedAws, startEmbeddedAws } from '../../../local/embedded/aws.ts';
import { startStoresThread } from '../../../local/embedded/stores-thread.ts';
import { applyEnvironment } from '../../../local/environment.ts';

let directory: string;
let aws: EmbeddedAws;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tripod-aws-'));
  aws = await startEmbeddedAws(await startStoresThread(directory));
  applyEnvironment(aws.environment);
});

afterAll(async () => {
  await aws.stop();
  await rm(directory, { recursive: true, force: true });
});

const variable = (name: string) => aws.environment[name] ?? '';

describe('resources', () => {
  it('names every table, bucket and queue of the service', () => {
    const all = [...Object.values(tables), ...Object.values(buckets), ...Object.values(queues)];
    expect(all.map(({ environment }) => environment).filter((name) => variable(name) === '')).toEqual([]);
  });

  it.each(Object.values(tables))(
    'creates the table of $environment',
    async ({ environment, partitionKey, sortKey }) => {
      const { Table } = await new DynamoDBClient({}).send(
        new DescribeTableCommand({ TableName: variable(environment) }),
      );
      expect(Table?.TableStatus).toBe('ACTIVE');
      expect(Table?.KeySchema?.map(({ AttributeName }) => AttributeName)).toEqual([partitionKey, sortKey]);
    },
  );

  it('refuses a second opener of the same directory', async () => {
    await expect(startStoresThread(directory)).rejects.toMatchObject({ cause: { code: 'LEVEL_LOCKED' } });
  });
});

describe('S3', () => {
  const s3 = () => new S3Client({});
  const Bucket = () => variable('UPLOADS_BUCKET');

  it('stores an object with its type, from memory and from a stream', async () => {
    const bytes = Buffer.from('스캔한 페이지');
    await s3().send(new PutObjectCommand({ Bucket: Bucket(), Key: 'a/memory', Body: bytes, ContentType: 'image/png' }));
    const Body = Readable.from([bytes]);
    await s3().send(new PutObjectCommand({ Bucket: Bucket(), Key: 'a/stream', Body, ContentLength: bytes.length }));
    for (const Key of ['a/memory', 'a/stream']) {
      const object = await s3().send(new GetObjectCommand({ Bucket: Bucket(), Key }));
      expect(await object.Body?.transformToString()).toBe('스캔한 페이지');
    }
    const head = await s3().send(new HeadObjectCommand({ Bucket: Bucket(), Key: 'a/memory' }));
    expect(head).toMatchObject({ ContentType: 'image/png', ContentLength: bytes.length });
  });

  it('takes a presigned upload, and refuses one that has expired', async () => {
    const put = new PutObjectCommand({ Bucket: Bucket(), Key: 'b/page' });
    const upload = (url: string) => fetch(url, { method: 'PUT', body: 'page' });
    expect((await upload(await getSignedUrl(s3(), put, { expiresIn: 60 }))).status).toBe(200);
    const expired = await getSignedUrl(s3(), put, { expiresIn: 60, signingDate: new Date(Date.now() - 120_000) });
    expect((await upload(expired)).status).toBe(403);
    const read = await getSignedUrl(s3(), new GetObjectCommand({ Bucket: Bucket(), Key: 'b/page' }), { expiresIn: 60 });
    expect(await (await fetch(read)).text()).toBe('page');
  });

  it('keeps an object of 100 MB as it was sent, by presigned addresses', async () => {
    const part = randomBytes(1024 * 1024);
    const parts = 100;
    const hash = createHash('sha256');
    for (let n = 0; n < parts; n += 1) hash.update(part);
    const put = new PutObjectCommand({ Bucket: Bucket(), Key: 'd/large', ContentLength: parts * part.length });
    const sent = request(await getSignedUrl(s3(), put), {
      method: 'PUT',
      headers: { 'content-length': parts * part.length },
    });
    Readable.from(Array.from({ length: parts }, () => part)).pipe(sent);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    expect(answer.resume().statusCode).toBe(200);
    const response = await fetch(await getSignedUrl(s3(), new GetObjectCommand({ Bucket: Bucket(), Key: 'd/large' })));
    const received = createHash('sha256');
    for await (const chunk of response.body ?? []) received.update(chunk);
    expect(received.digest('hex')).toBe(hash.digest('hex'));
  });

  it('answers a conditional read with 304 while the object is the one that is known', async () => {
    const { ETag } = await s3().send(new PutObjectCommand({ Bucket: Bucket(), Key: 'e', Body: 'first' }));
    const read = () => s3().send(new GetObjectCommand({ Bucket: Bucket(), Key: 'e', IfNoneMatch: ETag }));
    await expect(read()).rejects.toMatchObject({ $metadata: { httpStatusCode: 304 } });
    await s3().send(new PutObjectCommand({ Bucket: Bucket(), Key: 'e', Body: 'second' }));
    expect(await (await read()).Body?.transformToString()).toBe('second');
  });

  it('deletes several objects with one request', async () => {
    const keys = ['f/1', 'f/2'];
    for (const Key of keys) await s3().send(new PutObjectCommand({ Bucket: Bucket(), Key, Body: 'x' }));
    const Objects = keys.map((Key) => ({ Key }));
    await s3().send(new DeleteObjectsCommand({ Bucket: Bucket(), Delete: { Objects, Quiet: true } }));
    for (const Key of keys) await expect(s3().send(new HeadObjectCommand({ Bucket: Bucket(), Key }))).rejects.toThrow();
  });
});

describe('SQS', () => {
  it('moves a message that is received too often to the dead-letter queue', async () => {
    const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
    const QueueUrl = variable('BATCH_IMAGES_QUEUE_URL');
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'poison' }));
    const receive = async (url: string) => (await sqs.send(new ReceiveMessageCommand({ QueueUrl: url }))).Messages?.[0];
    for (let n = 0; n < queues['batch-images'].maxReceiveCount; n += 1) {
      const { Body, ReceiptHandle } = (await receive(QueueUrl)) ?? {};
      expect(Body).toBe('poison');
      await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
    }
    expect(await receive(QueueUrl)).toBeUndefined();
    const deadLetters = await sqs.send(new GetQueueUrlCommand({ QueueName: deadLetterName('tripod-batch-images') }));
    expect((await receive(deadLetters.QueueUrl ?? ''))?.Body).toBe('poison');
  });

  it('listens on the loopback interface only', () => {
    for (const [name, value] of Object.entries(aws.environment)) {
      if (name.startsWith('AWS_ENDPOINT_URL_')) expect(new URL(value).hostname).toBe('127.0.0.1');
    }
  });
});

describe('what has expired', () => {
  const seconds = (ms: number) => Math.floor(ms / 1000);

  it.each(Object.values(tables))('goes from the table of $environment, and nothing else', async (table) => {
    const { environment, partitionKey, sortKey, timeToLiveAttribute } = table;
    const TableName = variable(environment);
    const client = new DynamoDBClient({});
    const put = (name: string, expiry: number | undefined) =>
      client.send(
        new PutItemCommand({
          TableName,
          Item: {
            [partitionKey]: { S: 'expiry' },
            [sortKey]: { S: name },
            ...(expiry !== undefined && { [timeToLiveAttribute]: { N: String(expiry) } }),
          },
        }),
      );
    const now = Date.now();
    await put('over', seconds(now) - 1);
    await put('to come', seconds(now) + 60);
    await put('for good', undefined);
    await aws.removeExpired(now);
    const { Items = [] } = await client.send(new ScanCommand({ TableName, ConsistentRead: true }));
    const left = Items.filter((item) => item[partitionKey]?.S === 'expiry').map((item) => item[sortKey]?.S);
    expect(left.sort()).toEqual(['for good', 'to come']);
  });

  it.each(
    Object.values<BucketDefinition>(buckets).flatMap(({ environment, expiryDays }) =>
      expiryDays === undefined ? [] : [{ environment, expiryDays }],
    ),
  )('goes from the bucket of $environment, file and all', async (bucket) => {
    const Bucket = variable(bucket.environment);
    const s3 = new S3Client({});
    await s3.send(new PutObjectCommand({ Bucket, Key: 'expiry/of/one', Body: 'x', ContentType: 'text/plain' }));
    const find = () => s3.send(new HeadObjectCommand({ Bucket, Key: 'expiry/of/one' }));
    const lifeMs = bucket.expiryDays * 24 * 60 * 60 * 1000;
    await aws.removeExpired(Date.now() + lifeMs - 60_000);
    await find();
    await aws.removeExpired(Date.now() + lifeMs + 60_000);
    await expect(find()).rejects.toMatchObject({ name: 'NotFound' });
    expect(await readdir(join(directory, 's3', Bucket, 'expiry', 'of'))).toEqual([]);
  });
});

describe('restart', () => {
  it('keeps objects', async () => {
    await new S3Client({}).send(new PutObjectCommand({ Bucket: variable('UPLOADS_BUCKET'), Key: 'c', Body: 'kept' }));

    await aws.stop();
    aws = await startEmbeddedAws(await startStoresThread(directory));
    applyEnvironment(aws.environment);

    const object = await new S3Client({}).send(new GetObjectCommand({ Bucket: variable('UPLOADS_BUCKET'), Key: 'c' }));
    expect(await object.Body?.transformToString()).toBe('kept');
  });
});
