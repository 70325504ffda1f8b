import { availableParallelism } from 'node:os';
import { failImageWorker, processImageWorker, reconcileJobsWorker } from '../functions/extraction/workers.ts';
import type { QueueWorkers } from './queue-workers.ts';

/** Two readers, and one more image that is fetched meanwhile. */
const CONCURRENCY = Math.min(2, availableParallelism()) + 1;

/** The workers of batches of images. */
export async function batchWorkers(): Promise<QueueWorkers> {
  // Only now: the modules read the environment, which the service has just made.
  const [{ handler: process }, { handler: fail }, { handler: reconcile }] = await Promise.all([
    import('../functions/extraction/handlers/process-image.ts'),
    import('../functions/extraction/handlers/fail-image.ts'),
    import('../functions/extraction/handlers/reconcile-jobs.ts'),
  ]);
  return {
    queue: 'batch-images',
    work: { worker: processImageWorker, handler: process, concurrency: CONCURRENCY },
    fail: { worker: failImageWorker, handler: fail },
    reconcile: { worker: reconcileJobsWorker, handler: reconcile },
  };
}
