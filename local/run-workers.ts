import { failRunWorker, processRunWorker, reconcileRunsWorker } from '../functions/workflows/workers.ts';
import type { QueueWorkers } from './queue-workers.ts';

/** Runs wait more than they work: long ones of one workspace leave room for others. */
const CONCURRENCY = 16;
/** The end of a wait for an approval is noticed so soon. */
const RECONCILE_PAUSE_MS = 4_000;

/** The workers of runs of workflows. */
export async function runWorkers(): Promise<QueueWorkers> {
  // Only now: the modules read the environment, which the service has just made.
  const [{ handler: work }, { handler: fail }, { handler: reconcile }] = await Promise.all([
    import('../functions/workflows/handlers/process-run.ts'),
    import('../functions/workflows/handlers/fail-run.ts'),
    import('../functions/workflows/handlers/reconcile-runs.ts'),
  ]);
  return {
    queue: 'runs',
    work: { worker: processRunWorker, handler: work, concurrency: CONCURRENCY },
    fail: { worker: failRunWorker, handler: fail },
    reconcile: { worker: reconcileRunsWorker, handler: reconcile, pauseMs: RECONCILE_PAUSE_MS },
  };
}
