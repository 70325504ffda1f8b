import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedAws, startEmbeddedAws } from '../../../local/embedded/aws.ts';
import { startStoresThread } from '../../../local/embedded/stores-thread.ts';
import { applyEnvironment } from '../../../local/environment.ts';

/** Any user of the machine, and any page in a browser on it, can reach the embedded servers. */

let directory: string;
let aws: EmbeddedAws;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tripod-who-'));
  aws = await startEmbeddedAws(await startStoresThread(directory));
  applyEnvironment(aws.environment);
});
afterAll(async () => {
  await aws.stop();
  await rm(directory, { recursive: true, force: true });
});

const services = ['DYNAMODB', 'S3', 'SQS'] as const;
type Service = (typeof services)[number];

const JSON_TYPE = 'application/x-amz-json-1.0';
const unsigned: Readonly<Record<Service, { method: string; headers: Record<string, string>; body: string }>> = {
  DYNAMODB: {
    method: 'POST',
    headers: { 'content-type': JSON_TYPE, 'x-amz-target': 'DynamoDB_20120810.ListTables' },
    body: '{}',
  },
  S3: { method: 'GET', headers: {}, body: '' },
  SQS: {
    method: 'POST',
    headers: { 'content-type': JSON_TYPE, 'x-amz-target': 'AmazonSQS.ListQueues' },
    body: '{}',
  },
};

interface Sent {
  readonly service: Service;
  readonly query?: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

function send({ service, query = '', headers, body }: Sent): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const { method } = unsigned[service];
    request(`${aws.environment[`AWS_ENDPOINT_URL_${service}`]}/${query}`, { method, headers }, (response) =>
      text(response).then((body) => resolve({ status: response.statusCode, body }), reject),
    )
      .on('error', reject)
      .end(body);
  });
}

/** The request that the SDK would send for a call, signature included; it is not sent. */
async function signed(service: Service, key?: { accessKeyId: string; secretAccessKey: string }): Promise<Sent> {
  let sent: Sent | undefined;
  const requestHandler = {
    async handle(asked: { headers: Record<string, string>; query: Record<string, string>; body?: Uint8Array }) {
      const query = Object.keys(asked.query).length > 0 ? `?${new URLSearchParams(asked.query)}` : '';
      sent = { service, query, headers: asked.headers, body: Buffer.from(asked.body ?? '').toString() };
      throw new Error('It was only to be signed');
    },
  };
  const options = { requestHandler, maxAttempts: 1, ...(key && { credentials: key }) } as object;
  const call = {
    DYNAMODB: () => new DynamoDBClient(options).send(new ListTablesCommand({ Limit: 100 })),
    S3: () => new S3Client(options).send(new ListBucketsCommand({})),
    SQS: () => new SQSClient(options).send(new ListQueuesCommand({ MaxResults: 100 })),
  }[service];
  await call().catch(() => undefined);
  if (sent === undefined) throw new Error('Nothing was sent');
  return sent;
}

describe.each(services)('the embedded %s', (service) => {
  it('a store answers requests signed with the key of its data directory', async () => {
    expect(await send(await signed(service))).toMatchObject({ status: 200 });
  });

  it('refuses who does not sign', async () => {
    const { status, body } = await send({ service, ...unsigned[service] });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body).toMatch(/AccessDenied/);
  });

  it('refuses another key, and another secret', async () => {
    const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = aws.environment;
    const otherKey = await send(await signed(service, { accessKeyId: 'AKIAOTHER', secretAccessKey }));
    expect(otherKey.body).toMatch(/InvalidAccessKeyId|UnrecognizedClientException/);
    const otherSecret = await send(await signed(service, { accessKeyId, secretAccessKey: 'S3RVER' }));
    expect(otherSecret.body).toMatch(/SignatureDoesNotMatch|InvalidSignatureException/);
  });

  it('a store refuses requests signed for another service', async () => {
    const other = service === 'SQS' ? 'DYNAMODB' : 'SQS';
    const { headers, body } = await signed(other);
    const host = new URL(aws.environment[`AWS_ENDPOINT_URL_${service}`] ?? '').host;
    expect((await send({ service, headers: { ...headers, host }, body })).status).toBeGreaterThanOrEqual(400);
  });

  it('refuses another Host, as a page has that made its own name point here', async () => {
    const sent = await signed(service);
    const { port } = new URL(aws.environment[`AWS_ENDPOINT_URL_${service}`] ?? '');
    for (const host of [`evil.example:${port}`, 'evil.example', `127.0.0.1.evil.example:${port}`])
      expect((await send({ ...sent, headers: { ...sent.headers, host } })).status).toBe(421);
  });
});

describe.each(['DYNAMODB', 'SQS'] as const)('the embedded %s', (service) => {
  it('refuses another body or operation than was signed', async () => {
    const { headers, body } = await signed(service);
    const another = { ...headers, 'x-amz-target': `${headers['x-amz-target']?.split('.')[0]}.DeleteTable` };
    for (const changed of [
      { service, headers: { ...headers, 'content-length': String(body.length + 1) }, body: `${body} ` },
      { service, headers: another, body },
    ])
      expect((await send(changed)).body).toMatch(/InvalidSignatureException/);
  });
});
