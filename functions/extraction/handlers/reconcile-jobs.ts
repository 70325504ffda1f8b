import { logger } from '../../shared/logging.ts';
import { reconcileJobs } from '../domain/batch/reconcile-jobs.ts';
import { clock, countGivenUp, imageQueue, jobs } from '../wiring.ts';

const ports = { jobs: jobs(), queue: imageQueue(), clock };

/** @param event `queueIsEmpty`: only a service that keeps its queue in memory says so, at its start. */
export const handler = async (event: { readonly queueIsEmpty?: unknown } = {}): Promise<void> => {
  const done = await reconcileJobs(ports, { queueIsEmpty: event.queueIsEmpty === true });
  if (done.requeued + done.failed > 0) logger().warn('Batch images were left behind', { ...done });
  if (done.failed > 0) await countGivenUp(done.failed);
};
