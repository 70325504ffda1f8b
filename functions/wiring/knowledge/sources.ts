import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { DynamoSourcePages, DynamoSources } from '../../adapters/knowledge/sources/dynamo-sources.ts';
import { jitteredBackoff, systemClock, ulidIds } from '../../adapters/shared/system-ports.ts';
import { queueByUrl } from '../../adapters/sqs/queue-by-url.ts';
import type { CrawlWorkspacePorts } from '../../knowledge/domain/sources/crawl-workspace.ts';
import type { ManageSourcePorts } from '../../knowledge/domain/sources/manage-sources.ts';
import type { CrawlMessage, PrefixObjects } from '../../knowledge/domain/sources/source-ports.ts';
import { environment } from '../../shared/environment.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';
import { addDocumentPorts, bases, onUnsent } from './bases.ts';

const table = () => environment('KNOWLEDGE_TABLE').KNOWLEDGE_TABLE;

export function sources(): DynamoSources {
  return new DynamoSources(dynamoClient(), table(), { backoff: jitteredBackoff, ids: ulidIds });
}

export function crawlQueue() {
  return queueByUrl<CrawlMessage>(environment('CRAWLS_QUEUE_URL').CRAWLS_QUEUE_URL);
}

export function sourcePorts(): ManageSourcePorts {
  return {
    bases: bases(),
    sources: sources(),
    queue: crawlQueue(),
    onUnsent,
    clock: systemClock,
    random: randomBytes,
  };
}

export function reconcilePorts() {
  return { workspaces: sources(), queue: crawlQueue(), clock: systemClock };
}

export function crawlPorts(): CrawlWorkspacePorts {
  const { SOURCES_BUCKET, TRIPOD_LOCAL } = environment('SOURCES_BUCKET', 'TRIPOD_LOCAL');
  const stored = sources();
  const web = memoizeAsync(async () => {
    const { CrawlingWeb } = await import('../../adapters/knowledge/sources/crawling-web.ts');
    return new CrawlingWeb({ allowLoopback: TRIPOD_LOCAL });
  });
  const objects = memoizeAsync(async (): Promise<PrefixObjects> => {
    const [{ S3Prefix }, { s3Client }] = await Promise.all([
      import('../../adapters/knowledge/sources/s3-prefix.ts'),
      import('../../adapters/s3/client.ts'),
    ]);
    return new S3Prefix(SOURCES_BUCKET, s3Client());
  });
  return {
    ...reconcilePorts(),
    workspaces: stored,
    sources: stored,
    pages: new DynamoSourcePages(dynamoClient(), table()),
    knowledge: { ...addDocumentPorts(), bases: bases() },
    web: {
      rules: async (...site) => (await web()).rules(...site),
      sitemap: async (...site) => (await web()).sitemap(...site),
      get: async (...page) => (await web()).get(...page),
    },
    objects: {
      async *list(...prefix) {
        yield* (await objects()).list(...prefix);
      },
      get: async (...object) => (await objects()).get(...object),
    },
    wait: (ms) => sleep(ms),
    ids: ulidIds,
  };
}
