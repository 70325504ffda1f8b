import { crawlSourcesWorker, failCrawlWorker, reconcileSourcesWorker } from '../functions/knowledge/workers.ts';
import type { QueueWorkers } from './queue-workers.ts';

/** Workspaces whose sources are read at the same time. */
const CONCURRENCY = 2;

/** The workers of sources of knowledge bases. */
export async function crawlWorkers(): Promise<QueueWorkers> {
  // Only now: the modules read the environment, which the service has just made.
  const [{ handler: work }, { handler: fail }, { handler: reconcile }] = await Promise.all([
    import('../functions/knowledge/handlers/crawl-sources.ts'),
    import('../functions/knowledge/handlers/fail-crawl.ts'),
    import('../functions/knowledge/handlers/reconcile-sources.ts'),
  ]);
  return {
    queue: 'crawls',
    work: { worker: crawlSourcesWorker, handler: work, concurrency: CONCURRENCY },
    fail: { worker: failCrawlWorker, handler: fail },
    reconcile: { worker: reconcileSourcesWorker, handler: reconcile },
  };
}
