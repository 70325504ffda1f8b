import * as z from 'zod';
import type { Messages } from '../../shared/leases/process-batch.ts';
import { queues } from '../../shared/resources.ts';
import type { CrawlMessage } from '../domain/sources/source-ports.ts';

/** Messages that name a workspace with sources to work on. */
export const crawlMessages: Messages<CrawlMessage> = {
  schema: z.object({ workspaceId: z.string() }),
  retries: { firstMs: 10_000, factor: 2, maxMs: queues.crawls.visibilityTimeoutSeconds * 1000, jitter: 0.5 },
};
