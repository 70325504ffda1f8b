import type { Clock } from '../../../shared/ports/clock.ts';
import type { BatchImage, BatchJob, ImageId, ImageOutcome } from './job.ts';
import type { ImageQueue, Jobs } from './job-ports.ts';

export interface ReconcilePorts {
  readonly jobs: Jobs;
  readonly queue: ImageQueue;
  readonly clock: Clock;
}

export interface Reconciled {
  readonly requeued: number;
  readonly failed: number;
  readonly closed: number;
}

/** An image that is queued for so long has lost its message: no queue of ours is ever that long. */
const MESSAGE_LOST_MS = 60 * 60_000;
/** After so many lost messages the image itself is what kills its workers. */
const MOST_REQUEUES = 5;

/**
 * Finds what crashes and lost messages have left behind: images that nobody works on are queued again, or failed when that
 * has not helped; jobs whose images are all finished are taken off the list. Safe at any time, and any number at once.
 * @param queueIsEmpty true right after the start of a service that is a single process and keeps its queue in memory: all
 *   messages and all workers are gone.
 */
export async function reconcileJobs(ports: ReconcilePorts, { queueIsEmpty = false } = {}): Promise<Reconciled> {
  const nowMs = ports.clock.now();
  const totals = { requeued: 0, failed: 0, closed: 0 };
  for await (const { workspaceId, jobId } of ports.jobs.open()) {
    const job = await ports.jobs.find(workspaceId, jobId);
    const pending = job?.images.filter(({ outcome }) => outcome === null) ?? [];
    if (job === null || pending.length === 0) {
      await ports.jobs.close({ jobId });
      totals.closed += 1;
      continue;
    }
    const { requeued, failed } = await reconcileImages(pending, nowMs, queueIsEmpty, ports);
    totals.requeued += requeued;
    totals.failed += failed;
  }
  return totals;
}

async function reconcileImages(
  pending: BatchJob['images'],
  nowMs: number,
  queueIsEmpty: boolean,
  { jobs, queue }: ReconcilePorts,
): Promise<{ requeued: number; failed: number }> {
  const lost = pending.filter((image) => queueIsEmpty || isLost(image, nowMs));
  const requeued: ImageId[] = [];
  let failed = 0;
  for (const image of lost) {
    if (!queueIsEmpty && image.requeues >= MOST_REQUEUES) {
      if (await jobs.abandon(image, nowMs, givenUp(nowMs))) failed += 1;
    } else if (await jobs.requeue(image, nowMs)) {
      const { workspaceId, jobId, index } = image;
      requeued.push({ workspaceId, jobId, index });
    }
  }
  // After the note: a crash in between costs one more wait, never a flood of messages.
  if (requeued.length > 0) await queue.send(requeued);
  return { requeued: requeued.length, failed };
}

function isLost({ queuedAtMs, leaseUntilMs }: BatchImage, nowMs: number): boolean {
  return Math.max(queuedAtMs, leaseUntilMs) + MESSAGE_LOST_MS <= nowMs;
}

/**
 * For an image whose message was delivered to no avail as often as its queue delivers. @returns 'again' while somebody may
 * still be at work on it.
 */
export async function giveUpImage(
  image: ImageId,
  { jobs, clock }: Pick<ReconcilePorts, 'jobs' | 'clock'>,
): Promise<'done' | 'again'> {
  const nowMs = clock.now();
  if (await jobs.abandon(image, nowMs, givenUp(nowMs))) return 'done';
  const job = await jobs.find(image.workspaceId, image.jobId);
  const left = job?.images.find(({ index }) => index === image.index);
  return left === undefined || left.outcome !== null ? 'done' : 'again';
}

/** What was wrong stands in our logs. */
function givenUp(nowMs: number): ImageOutcome {
  return {
    kind: 'failed',
    finishedAt: new Date(nowMs).toISOString(),
    error: {
      code: 'processing_failed',
      message:
        'The image could not be processed, though it was tried several times. Nothing was charged: send it again.',
    },
  };
}
