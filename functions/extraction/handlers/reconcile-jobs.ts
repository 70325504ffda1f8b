import { logger } from '../../shared/logging.ts';
import { reconcileJobs } from '../domain/batch/reconcile-jobs.ts';
import { clock, countGivenUp, imageLeases, imageQueue, jobs, openJobs } from '../wiring.ts';

const ports = {
  jobs: jobs(),
  openJobs: openJobs(),
  leases: imageLeases(),
  queue: imageQueue(),
  clock,
};

/** @param event `queueIsEmpty`: sent by a service that keeps its queue in memory, at its start. */
export const handler = async (event: { readonly queueIsEmpty?: unknown } = {}): Promise<void> => {
  const done = await reconcileJobs(ports, { afterRestart: event.queueIsEmpty === true });
  if (done.requeued + done.failed > 0) logger().warn('Batch images were left behind', { ...done });
  if (done.failed > 0) await countGivenUp(done.failed);
};
