import { countMetric } from '../../adapters/shared/count-metric.ts';
import { systemClock } from '../../adapters/shared/system-ports.ts';
import { logger } from '../../shared/logging.ts';
import { IMAGES_GIVEN_UP } from '../../shared/metric-names.ts';
import { imageLeases, imageQueue, jobs, openJobs } from '../batch-ports.ts';
import { reconcileJobs } from '../domain/batch/reconcile-jobs.ts';

const ports = {
  jobs: jobs(),
  openJobs: openJobs(),
  leases: imageLeases(),
  queue: imageQueue(),
  clock: systemClock,
};

/** @param event `queueIsEmpty`: sent by a service that keeps its queue in memory, at its start. */
export const handler = async (event: { readonly queueIsEmpty?: unknown } = {}): Promise<void> => {
  const done = await reconcileJobs(ports, { afterRestart: event.queueIsEmpty === true });
  if (done.requeued + done.failed > 0) logger().warn('Batch images were left behind', { ...done });
  if (done.failed > 0) await countMetric(IMAGES_GIVEN_UP, done.failed);
};
