import type { IncomingMessage, ServerResponse } from 'node:http';
import { buildApp } from 'fauxqs';
import type { QueueDefinition } from '../../functions/shared/resources.ts';
import { readSigned } from './json-service.ts';
import { listenOnLoopback, type RunningServer } from './loopback.ts';
import type { KeyPair } from './signature-v4.ts';

export interface NamedQueue extends QueueDefinition {
  readonly name: string;
  readonly deadLetterName: string;
}

export interface EmbeddedSqs extends RunningServer {
  queueUrl(name: string): string;
  deadLettersUrl(name: string): string;
}

const CONTENT_TYPE = 'application/x-amz-json-1.0';
/** Ten messages of the largest size, as SQS has it of a batch. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * SQS in memory: what is queued when the process dies is found again by the service's reconcilers, as lost messages
 * must be on AWS too. fauxqs can keep messages on disk, but only through a starter that listens on every interface; and it
 * serves whoever asks, SNS and S3 as well, so that it is reached only through a server of our own.
 */
export async function startSqs(region: string, queues: readonly NamedQueue[], key: KeyPair): Promise<EmbeddedSqs> {
  const app = buildApp({ logger: false, defaultRegion: region });
  const { url, stop } = await listenOnLoopback((request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error('embedded SQS failed:', error);
      response.destroy();
    });
  });
  const urls = new Map<string, string>();
  const deadLetterUrls = new Map<string, string>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const read = await readSigned(request, { name: 'sqs', key, maxBodyBytes: MAX_BODY_BYTES });
    if (read.kind === 'too-large') return send(response, 413, '{}');
    if (read.kind === 'refused')
      return send(response, 403, JSON.stringify({ __type: read.type, message: read.message }));
    const { statusCode, payload } = await app.inject({
      method: 'POST',
      url: '/',
      headers: {
        'content-type': CONTENT_TYPE,
        'x-amz-target': String(request.headers['x-amz-target']),
        host: new URL(url).host,
      },
      payload: read.body,
    });
    send(response, statusCode, payload);
  }

  async function call<T>(action: string, input: object): Promise<T> {
    const response = await app.inject({
      method: 'POST',
      url: '/',
      headers: {
        'content-type': CONTENT_TYPE,
        'x-amz-target': `AmazonSQS.${action}`,
        host: new URL(url).host,
      },
      payload: JSON.stringify(input),
    });
    if (response.statusCode !== 200) throw new Error(`Embedded SQS: ${action} failed: ${response.body}`);
    return response.json<T>();
  }

  async function create(name: string, attributes: Record<string, string>): Promise<{ url: string; arn: string }> {
    const { QueueUrl } = await call<{ QueueUrl: string }>('CreateQueue', { QueueName: name, Attributes: attributes });
    const { Attributes } = await call<{ Attributes: { QueueArn: string } }>('GetQueueAttributes', {
      QueueUrl,
      AttributeNames: ['QueueArn'],
    });
    return { url: QueueUrl, arn: Attributes.QueueArn };
  }

  for (const queue of queues) {
    const deadLetters = await create(queue.deadLetterName, {
      MessageRetentionPeriod: String(queue.deadLetterRetentionSeconds),
    });
    const created = await create(queue.name, {
      VisibilityTimeout: String(queue.visibilityTimeoutSeconds),
      MessageRetentionPeriod: String(queue.retentionSeconds),
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: deadLetters.arn, maxReceiveCount: queue.maxReceiveCount }),
    });
    urls.set(queue.name, created.url);
    deadLetterUrls.set(queue.name, deadLetters.url);
  }

  return {
    url,
    queueUrl: (name) => known(urls, name),
    deadLettersUrl: (name) => known(deadLetterUrls, name),
    async stop() {
      await stop();
      await app.close();
    },
  };
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': CONTENT_TYPE, 'content-length': Buffer.byteLength(body) }).end(body);
}

function known(urls: ReadonlyMap<string, string>, name: string): string {
  const url = urls.get(name);
  if (url === undefined) throw new Error(`There is no queue ${name}`);
  return url;
}
