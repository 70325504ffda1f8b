import type { Clock } from '../../../shared/ports/clock.ts';
import { type BatchImage, type BatchJob, givenUpOutcome, type ImageId } from './job.ts';
import type { ImageQueue, Jobs, OpenJob } from './job-ports.ts';

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

/** Longer than the call that accepts a job can run: what it has not noted as sent by then, it never will. */
const ACCEPTED_MS = 2 * 60_000;
/** After this time in the queue a message may be lost; after each time that it was sent again, twice as long. */
const MAY_BE_LOST_MS = 60 * 60_000;
/** With so many the last wait ends on the third day: before the queue, which keeps a message for four, forgets it. */
const MOST_REQUEUES = 5;

/**
 * Finds what crashes have left behind, by what is written down and not by looking at the queue, which cannot tell:
 *
 * - A job whose messages were never noted as sent is one whose acceptance died or failed on the way. All of its images that
 *   wait get a message, minutes after it was accepted. Those that had one have two then; whoever takes the second finds the
 *   image finished or in work, and charges nothing.
 * - A message that was sent is SQS's to keep, and an image that waits for hours is, but for a handful, one of a long
 *   backlog. It can be lost all the same: a run that was taken for dead may delete the message of the run that took over.
 *   So an image gets a further one after an hour, then after two more, four more: a backlog grows by a few messages that
 *   cost a look each. The images of a backlog of two and a half days are failed.
 *
 * Jobs whose images are all finished are taken off the list. Safe at any time, and any number at once.
 * @param queueIsEmpty true right after the start of a service that is a single process and keeps its queue in memory: all
 *   messages and all workers are gone.
 */
export async function reconcileJobs(ports: ReconcilePorts, { queueIsEmpty = false } = {}): Promise<Reconciled> {
  const totals = { requeued: 0, failed: 0, closed: 0 };
  for await (const open of ports.jobs.open()) {
    const job = await ports.jobs.find(open.workspaceId, open.jobId);
    const pending = job?.images.filter(({ outcome }) => outcome === null) ?? [];
    if (job === null || pending.length === 0) {
      await ports.jobs.close(open);
      totals.closed += 1;
      continue;
    }
    const { requeued, failed } = await reconcileJob(open, job, pending, queueIsEmpty, ports);
    totals.requeued += requeued;
    totals.failed += failed;
  }
  return totals;
}

async function reconcileJob(
  open: OpenJob,
  { head }: BatchJob,
  pending: BatchJob['images'],
  queueIsEmpty: boolean,
  { jobs, queue, clock }: ReconcilePorts,
): Promise<{ requeued: number; failed: number }> {
  const nowMs = clock.now();
  const isUnsent = queueIsEmpty || (!open.isSent && Date.parse(head.createdAt) + ACCEPTED_MS <= nowMs);
  const messages: ImageId[] = [];
  let failed = 0;
  for (const image of pending) {
    const { workspaceId, jobId, index, status } = image;
    if (isUnsent && status === 'queued') messages.push({ workspaceId, jobId, index });
    else if (!queueIsEmpty && !mayBeLost(image, nowMs)) continue;
    else if (!queueIsEmpty && image.requeues >= MOST_REQUEUES)
      failed += (await jobs.abandon(image, nowMs, givenUpOutcome(nowMs))) ? 1 : 0;
    else if (await jobs.requeue(image, nowMs)) messages.push({ workspaceId, jobId, index });
  }
  // After the notes of what is sent again: a crash in between costs one more wait, never a flood of messages.
  if (messages.length > 0) await queue.send(messages);
  if (isUnsent && !open.isSent) await jobs.noteSent(head);
  return { requeued: messages.length, failed };
}

function mayBeLost({ queuedAtMs, leaseUntilMs, requeues }: BatchImage, nowMs: number): boolean {
  return Math.max(queuedAtMs, leaseUntilMs) + MAY_BE_LOST_MS * 2 ** requeues <= nowMs;
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
  if (await jobs.abandon(image, nowMs, givenUpOutcome(nowMs))) return 'done';
  const job = await jobs.find(image.workspaceId, image.jobId);
  const left = job?.images.find(({ index }) => index === image.index);
  return left === undefined || left.outcome !== null ? 'done' : 'again';
}
