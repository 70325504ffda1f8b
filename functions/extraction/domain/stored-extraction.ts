import type { Claim } from '../../shared/idempotency/idempotency-store.ts';
import type { JudgedPage } from './extraction.ts';
import type { ImageId } from './image-outcome.ts';
import type { Labels } from './labels.ts';

/** An extraction as it is kept for later look-up. */
export interface StoredExtraction {
  readonly extractionId: string;
  readonly workspaceId: string;
  readonly createdAt: string;
  /** ISO time after which it counts as absent. */
  readonly expiresAt: string;
  readonly page: JudgedPage;
  /** Absent of extractions of earlier releases. */
  readonly origin?: ExtractionOrigin;
}

/** The records that belong to an extraction and lie apart: they are deleted with it. */
export interface ExtractionOrigin {
  /** Key of its image in the bucket of uploads; null: the image was not stored. */
  readonly uploadKey: string | null;
  /** Image of a batch; null for a single call. */
  readonly image: ImageId | null;
  /** Absent: the caller gave none. */
  readonly labels?: Labels;
}

/** @param lease of an image, or the claim that a single call holds. */
export function originOf(
  lease: ImageId | Claim | null,
  uploadKey: string | null,
  labels: Labels | undefined,
): ExtractionOrigin {
  const given = labels && { labels };
  if (lease === null || !('jobId' in lease)) return { uploadKey, image: null, ...given };
  const { workspaceId, jobId, index } = lease;
  return { uploadKey, image: { workspaceId, jobId, index }, ...given };
}

export interface Extractions {
  /** @returns null when there is none, it has expired, or another workspace owns it. */
  find(workspaceId: string, extractionId: string): Promise<StoredExtraction | null>;
  /** By id; missing ones are left out. */
  findAll(workspaceId: string, extractionIds: readonly string[]): Promise<ReadonlyMap<string, StoredExtraction>>;
  /** Does nothing where there is none. */
  remove(workspaceId: string, extractionId: string): Promise<void>;
}
