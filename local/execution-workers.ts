import { MAX_IN_BACKGROUND } from '../functions/adapters/runner/embedded-sandbox-pool.ts';
import {
  failExecutionWorker,
  processExecutionWorker,
  reconcileExecutionsWorker,
} from '../functions/sandbox/workers.ts';
import type { QueueWorkers } from './queue-workers.ts';

/** The workers of asynchronous executions. */
export async function executionWorkers(): Promise<QueueWorkers> {
  // Only now: the modules read the environment, which the service has just made.
  const [{ handler: work }, { handler: fail }, { handler: reconcile }] = await Promise.all([
    import('../functions/sandbox/handlers/process-execution.ts'),
    import('../functions/sandbox/handlers/fail-execution.ts'),
    import('../functions/sandbox/handlers/reconcile-executions.ts'),
  ]);
  return {
    queue: 'executions',
    work: { worker: processExecutionWorker, handler: work, concurrency: MAX_IN_BACKGROUND },
    fail: { worker: failExecutionWorker, handler: fail },
    reconcile: { worker: reconcileExecutionsWorker, handler: reconcile },
  };
}
