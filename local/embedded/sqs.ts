import { mkdir } from 'node:fs/promises';
import { startFauxqs } from 'fauxqs';
import type { QueueDefinition } from '../../functions/shared/resources.ts';
import type { RunningServer } from './loopback.ts';

export interface NamedQueue extends QueueDefinition {
  readonly name: string;
  readonly deadLetterName: string;
}

export interface EmbeddedSqs extends RunningServer {
  queueUrl(name: string): string;
}

/** SQS with its messages in a SQLite file under `directory`: queued work survives a crash. */
export async function startSqs(directory: string, region: string, queues: readonly NamedQueue[]): Promise<EmbeddedSqs> {
  await mkdir(directory, { recursive: true });
  const server = await startFauxqs({
    port: 0,
    logger: false,
    host: '127.0.0.1',
    defaultRegion: region,
    dataDir: directory,
  });
  const urls = new Map<string, string>();
  for (const queue of queues) {
    const deadLetters = server.createQueue(queue.deadLetterName, {
      attributes: { MessageRetentionPeriod: String(queue.deadLetterRetentionSeconds) },
    });
    const { queueUrl } = server.createQueue(queue.name, {
      attributes: {
        VisibilityTimeout: String(queue.visibilityTimeoutSeconds),
        MessageRetentionPeriod: String(queue.retentionSeconds),
        RedrivePolicy: JSON.stringify({
          deadLetterTargetArn: deadLetters.queueArn,
          maxReceiveCount: queue.maxReceiveCount,
        }),
      },
    });
    urls.set(queue.name, queueUrl);
  }
  return {
    url: server.address,
    queueUrl(name) {
      const url = urls.get(name);
      if (url === undefined) throw new Error(`There is no queue ${name}`);
      return url;
    },
    stop: () => server.stop(),
  };
}
