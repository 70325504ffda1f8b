import type { Claim } from '../../../shared/idempotency/idempotency-store.ts';
import type { BatchImage, BatchJob, ImageId, ImageLease, ImageOutcome, ImagePlace, JobHead } from './job.ts';

export interface NewJob {
  readonly head: JobHead;
  readonly places: readonly ImagePlace[];
  readonly queuedAtMs: number;
}

/** Batch jobs and the state of each of their images. All reads are strongly consistent. */
export interface Jobs {
  /**
   * Stores a job with all its images. The job exists when the last of its writes is done, and that is the one that
   * completes the claim too: after a crash before it there is neither. @returns false when the claim is lost.
   */
  create(job: NewJob, completion: { readonly claim: Claim; readonly response: string } | null): Promise<boolean>;
  /** @returns null when there is none, it has expired, or another workspace owns it. */
  find(workspaceId: string, jobId: string): Promise<BatchJob | null>;
  /** Takes an image for work, unless it is finished or somebody alive works on it. Atomic. */
  take(lease: ImageLease, nowMs: number, leaseUntilMs: number): Promise<TakeOutcome>;
  /** Puts an image back into its queue's hands; does nothing when the lease is lost. */
  giveBack(lease: ImageLease): Promise<void>;
  /** Ends an image that nothing is charged for. @returns false when the lease is lost: somebody else will end it. */
  fail(lease: ImageLease, outcome: ImageOutcome): Promise<boolean>;
  /** Ends an image that nobody works on. @returns false when it is finished, or somebody works on it again. */
  abandon(image: ImageId, nowMs: number, outcome: ImageOutcome): Promise<boolean>;
  /** Notes that an image nobody works on is queued again. @returns false when it is no longer as `seen`. */
  requeue(seen: BatchImage, nowMs: number): Promise<boolean>;
  /** Notes that every image of the job has got its message; does nothing when the job is off the list. */
  noteSent(job: Pick<JobHead, 'jobId'>): Promise<void>;
  /** Jobs that the reconciler has not yet found finished. */
  open(): AsyncIterable<OpenJob>;
  /** Takes a job off that list. */
  close(job: Pick<JobHead, 'jobId'>): Promise<void>;
}

export interface OpenJob extends Pick<JobHead, 'workspaceId' | 'jobId'> {
  /** False until it is noted: messages of it may be missing. */
  readonly isSent: boolean;
}

export type TakeOutcome =
  | { readonly kind: 'taken'; readonly image: BatchImage; readonly templateId: string }
  | { readonly kind: 'finished' }
  /** Somebody alive works on it, as far as anybody knows. */
  | { readonly kind: 'busy' }
  /** The job is gone. */
  | { readonly kind: 'absent' };

/** One message an image; a message that is lost is the reconciler's to find. */
export interface ImageQueue {
  send(images: readonly ImageId[]): Promise<void>;
}

/** The bucket's own side: inline images on their way to the worker. */
export interface ImageStore {
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** @throws ImageFetchFailed when it is gone. */
  get(key: string): Promise<Uint8Array>;
}
