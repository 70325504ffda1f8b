import type { ImageId, ImageOutcome } from '../image-outcome.ts';
import type { Labels } from '../labels.ts';

/** Of one batch, addresses and inline images together. */
export const MAX_IMAGES = 100;

export interface JobHead {
  readonly jobId: string;
  readonly workspaceId: string;
  readonly templateId: string;
  /** ISO date whose prices hold for every image; null: each one's own, else the day on which it is read. */
  readonly serviceDate: string | null;
  readonly total: number;
  readonly createdAt: string;
  /** ISO time after which it counts as absent. */
  readonly expiresAt: string;
}

/** Location of an image: an address that the client sent, or an object of the bucket of uploads for an inline one. */
export type ImagePlace =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'upload'; readonly key: string };

export interface BatchImage extends ImageId {
  readonly place: ImagePlace;
  /** Absent: the caller gave none. */
  readonly labels?: Labels;
  /** Page of a PDF or TIFF, from 1; absent: the first. */
  readonly page?: number;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  /** Runs that acquired it and have not released it: the present one, and those that died. */
  readonly attempts: number;
  /** Epoch time at which the lease expires; 0 when no run holds it. */
  readonly leaseUntilMs: number;
  /** When it was queued last; and how often the reconciler has queued it again. */
  readonly queuedAtMs: number;
  readonly requeues: number;
  /** Null until it is finished. */
  readonly outcome: ImageOutcome | null;
}

export interface BatchJob {
  readonly head: JobHead;
  /** In the order of their index; never fewer than `head.total`, unless the job is being deleted. */
  readonly images: readonly BatchImage[];
}

/**
 * Progress of a job, computed from its images at every poll and stored nowhere: a counter that a hundred workers change
 * would make their charges conflict, and could be wrong.
 */
export interface JobProgress {
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  readonly completed: number;
  readonly failed: number;
  /** ISO time at which the last image was finished; null before. */
  readonly completedAt: string | null;
  readonly cost: { readonly krw: number; readonly freeCalls: number };
}

export function progressOf({ images }: BatchJob): JobProgress {
  const outcomes = images.flatMap(({ outcome }) => outcome ?? []);
  const done = outcomes.filter((outcome) => outcome.kind !== 'failed');
  const failed = outcomes.length - done.length;
  const isOver = outcomes.length === images.length;
  const touched = images.some(({ status }) => status !== 'queued');
  return {
    status: isOver ? (done.length === 0 ? 'failed' : 'completed') : touched ? 'processing' : 'queued',
    completed: done.length,
    failed,
    completedAt: isOver
      ? (outcomes
          .map(({ finishedAt }) => finishedAt)
          .sort()
          .at(-1) ?? null)
      : null,
    cost: {
      krw: done.reduce((sum, { cost }) => sum + cost.krw, 0),
      // A page without a table is free as well, but uses up no free call.
      freeCalls: done.filter(({ cost, foundTable }) => cost.free && foundTable).length,
    },
  };
}

/** Outcome of an image after its last attempt; the cause is in the logs. */
export function givenUpOutcome(nowMs: number): ImageOutcome {
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
