import { buildApp } from 'fauxqs';
import type { QueueDefinition } from '../../functions/shared/resources.ts';
import type { RunningServer } from './loopback.ts';

export interface NamedQueue extends QueueDefinition {
  readonly name: string;
  readonly deadLetterName: string;
}

export interface EmbeddedSqs extends RunningServer {
  queueUrl(name: string): string;
  deadLettersUrl(name: string): string;
}

/**
 * SQS in memory: what is queued when the process dies is found again by the service's reconcilers, as lost messages
 * must be on AWS too. fauxqs can keep messages on disk, but only through a starter that listens on every interface.
 */
export async function startSqs(region: string, queues: readonly NamedQueue[]): Promise<EmbeddedSqs> {
  const app = buildApp({ logger: false, defaultRegion: region });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const urls = new Map<string, string>();
  const deadLetterUrls = new Map<string, string>();

  async function call<T>(action: string, input: object): Promise<T> {
    const response = await app.inject({
      method: 'POST',
      url: '/',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
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
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

function known(urls: ReadonlyMap<string, string>, name: string): string {
  const url = urls.get(name);
  if (url === undefined) throw new Error(`There is no queue ${name}`);
  return url;
}
