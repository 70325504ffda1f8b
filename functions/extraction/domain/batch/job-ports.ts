import type { Claim } from '../../../shared/idempotency/idempotency-store.ts';
import type { Acquisition } from '../../../shared/leases/run-leased.ts';
import type { ImageId, ImageLease, ImageOutcome } from '../image-outcome.ts';
import type { Labels } from '../labels.ts';
import type { BatchImage, BatchJob, ImagePlace, JobHead } from './job.ts';

export interface NewJob {
  readonly head: JobHead;
  readonly places: readonly ImagePlace[];
  /** By index; absent or undefined: the caller gave none. */
  readonly labels?: readonly (Labels | undefined)[];
  /** By index; absent: the first of each file. */
  readonly pages?: readonly number[];
  readonly queuedAtMs: number;
  /** API key of the call; absent or null: none. */
  readonly keyId?: string | null;
}

/** Batch jobs. All reads are strongly consistent. */
export interface Jobs {
  /**
   * Stores a job with all its images. The job exists when the last of its writes is done, and that is the one that
   * completes the claim too: after a crash before it there is neither. @returns false when the claim is lost.
   */
  create(job: NewJob, completion: { readonly claim: Claim; readonly response: string } | null): Promise<boolean>;
  /** @returns null when there is none, it has expired, or another workspace owns it. */
  find(workspaceId: string, jobId: string): Promise<BatchJob | null>;
  /** Deletes a job with all of its images. */
  remove(job: BatchJob): Promise<void>;
}

/** The leases on the images of jobs. Every change is one conditional write. */
export interface ImageLeases {
  /** Takes the lease on an image, unless the image has ended or another run holds its lease. */
  acquire(lease: ImageLease, nowMs: number, leaseUntilMs: number): Promise<Acquisition<AcquiredImage>>;
  /** Lets the image wait for its next delivery; does nothing when the lease is lost. */
  release(lease: ImageLease): Promise<void>;
  /** Ends an image that nothing is charged for. @returns false when the lease is lost. */
  end(lease: ImageLease, outcome: ImageOutcome): Promise<boolean>;
  /** Ends an image that no run holds. @returns false when it has ended, or a run holds it. */
  abandon(image: ImageId, nowMs: number, outcome: ImageOutcome): Promise<boolean>;
  /** Deletes an image that has not ended, even a leased one; does nothing once it has ended. */
  cancel(image: ImageId): Promise<void>;
  /** Deletes what an ended image says of its page and its address; what it cost stays. */
  forget(image: ImageId): Promise<void>;
  /** Records that an image that no run holds is queued again. @returns false when it has changed since it was read. */
  requeue(seen: BatchImage, nowMs: number): Promise<boolean>;
}

export interface AcquiredImage {
  readonly image: BatchImage;
  readonly templateId: string;
  readonly serviceDate: string | null;
  readonly keyId: string | null;
}

/** The list of jobs that are not known to have ended. */
export interface OpenJobs {
  list(): AsyncIterable<OpenJob>;
  /** Records that every image of the job has got its message; does nothing when the job is off the list. */
  markSent(job: Pick<JobHead, 'jobId'>): Promise<void>;
  /** Takes a job off the list. */
  close(job: Pick<JobHead, 'workspaceId' | 'jobId'>): Promise<void>;
}

export interface OpenJob extends Pick<JobHead, 'workspaceId' | 'jobId'> {
  /** False until it is recorded: messages of it may be missing. */
  readonly isSent: boolean;
}

/** One message per image; the reconciler finds the images whose message was lost. */
export interface ImageQueue {
  send(images: readonly ImageId[]): Promise<void>;
}
