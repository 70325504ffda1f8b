import type { Verdict } from '../../../shared/leases/lease.ts';
import { type Decision, type Reconciled, reconcile } from '../../../shared/leases/reconcile.ts';
import { type RetrySchedule, retryDelayMs } from '../../../shared/leases/retry-schedule.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { ImageId } from '../image-outcome.ts';
import { type BatchImage, givenUpOutcome } from './job.ts';
import type { ImageLeases, ImageQueue, Jobs, OpenJob, OpenJobs } from './job-ports.ts';

export interface ReconcilePorts {
  readonly jobs: Pick<Jobs, 'find'>;
  readonly openJobs: OpenJobs;
  readonly leases: Pick<ImageLeases, 'abandon' | 'requeue'>;
  readonly queue: ImageQueue;
  readonly clock: Clock;
}

/** Longer than the call that accepts a job can run: a job that is not marked as sent by then never will be. */
const ACCEPTANCE_MS = 2 * 60_000;
/** After so long in the queue a message may be lost. */
const LOST_AFTER: RetrySchedule = { firstMs: 60 * 60_000, factor: 2, maxMs: Number.POSITIVE_INFINITY };
/** The last wait ends on the third day: before the queue, which keeps a message for four, forgets it. */
const MAX_REQUEUES = 5;

interface PendingImage {
  readonly image: BatchImage;
  /** True when messages of its job may never have been sent. */
  readonly isUnsent: boolean;
}

/**
 * Queues or fails the images that crashes have left behind:
 *
 * - A job that was never marked as sent is one whose acceptance died or failed on the way. All of its waiting images get a
 *   message, minutes after the job was accepted. Those that had one have two then; the run of the second finds the image
 *   ended or leased, and charges nothing.
 * - A message that was sent is SQS's to keep, and an image that waits for hours is, but for a handful, one of a long
 *   backlog. It can be lost all the same: a run whose lease has expired may delete the message of the run that took over.
 *   So an image gets a further one after an hour, then after two more, four more: a backlog grows by a few messages that
 *   cost a read each. The images of a backlog of two and a half days are failed.
 *
 * Jobs whose images have all ended are taken off the list.
 * @param afterRestart true right after the start of a single-process service with its queue in memory: all messages and all
 *   runs are gone.
 */
export function reconcileJobs(ports: ReconcilePorts, { afterRestart = false } = {}): Promise<Reconciled> {
  const { jobs, openJobs, leases, queue, clock } = ports;
  return reconcile<OpenJob, PendingImage>(
    {
      open: () => openJobs.list(),
      async unfinished(open) {
        const job = await jobs.find(open.workspaceId, open.jobId);
        if (job === null) return [];
        const isUnsent =
          afterRestart || (!open.isSent && Date.parse(job.head.createdAt) + ACCEPTANCE_MS <= clock.now());
        return job.images.filter(({ outcome }) => outcome === null).map((image) => ({ image, isUnsent }));
      },
      decide: (pending, nowMs) => decisionOn(pending, nowMs, afterRestart),
      requeue: ({ image }, nowMs) => leases.requeue(image, nowMs),
      fail: ({ image }, nowMs) => leases.abandon(image, nowMs, givenUpOutcome(nowMs)),
      async send(pending, open) {
        await queue.send(pending.map(({ image }) => idOf(image)));
        if (!open.isSent && pending.some(({ isUnsent }) => isUnsent)) await openJobs.markSent(open);
      },
      close: (open) => openJobs.close(open),
    },
    { clock },
  );
}

function decisionOn({ image, isUnsent }: PendingImage, nowMs: number, afterRestart: boolean): Decision {
  if (isUnsent && image.status === 'queued') return 'send';
  if (afterRestart) return 'requeue';
  const { queuedAtMs, leaseUntilMs, requeues } = image;
  if (Math.max(queuedAtMs, leaseUntilMs) + retryDelayMs(LOST_AFTER, requeues + 1) > nowMs) return 'wait';
  return requeues >= MAX_REQUEUES ? 'fail' : 'requeue';
}

const idOf = ({ workspaceId, jobId, index }: ImageId): ImageId => ({ workspaceId, jobId, index });

/** Fails an image whose message has used up its deliveries. @returns 'retry' while a run may still hold the image. */
export async function giveUpImage(
  image: ImageId,
  { jobs, leases, clock }: Pick<ReconcilePorts, 'jobs' | 'leases' | 'clock'>,
): Promise<Verdict> {
  const nowMs = clock.now();
  if (await leases.abandon(image, nowMs, givenUpOutcome(nowMs))) return 'ack';
  const job = await jobs.find(image.workspaceId, image.jobId);
  const left = job?.images.find(({ index }) => index === image.index);
  return left === undefined || left.outcome !== null ? 'ack' : 'retry';
}
