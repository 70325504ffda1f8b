import { logger } from '../../shared/logging.ts';
import { reconcilerHandler } from '../../shared/reconciler-handler.ts';
import { clock, countGivenUp, imageLeases, imageQueue, jobs, openJobs } from '../../wiring/extraction/extraction.ts';
import { serviceEvents } from '../../wiring/shared/service-events.ts';
import type { OpenJobs } from '../domain/batch/job-ports.ts';
import { reconcileJobs } from '../domain/batch/reconcile-jobs.ts';
import { publishBatch } from '../publish-events.ts';

const stored = { jobs: jobs(), events: serviceEvents() };
const open = openJobs();
const ports = {
  jobs: stored.jobs,
  openJobs: {
    list: () => open.list(),
    markSent: (job) => open.markSent(job),
    // A crash may have prevented the event.
    async close(job) {
      await publishBatch(job, stored);
      await open.close(job);
    },
  } satisfies OpenJobs,
  leases: imageLeases(),
  queue: imageQueue(),
  clock,
};

export const handler = reconcilerHandler(async (round) => {
  const done = await reconcileJobs(ports, round);
  if (done.requeued + done.failed > 0) logger().warn('Batch images were left behind', { ...done });
  if (done.failed > 0) await countGivenUp(done.failed);
});
