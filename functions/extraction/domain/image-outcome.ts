import type { Lease } from '../../shared/leases/lease.ts';
import type { JudgedPage, Summary } from './extraction.ts';
import type { Geometry } from './reading/geometry.ts';

/** Names one image of one job. */
export interface ImageId {
  readonly workspaceId: string;
  readonly jobId: string;
  /** 0-based: the addresses first, then the inline images, each in the order of the request. */
  readonly index: number;
}

/** The right to end an image: of all runs that ever held it, only the present holder can charge for it. */
export type ImageLease = Lease<ImageId>;

/** End of an image of a batch. */
export type ImageOutcome =
  | {
      readonly kind: 'completed';
      readonly finishedAt: string;
      readonly extractionId: string;
      readonly itemCount: number;
      readonly foundTable: boolean;
      readonly byStatus: Summary['byStatus'];
      readonly geometry: Geometry;
      readonly cost: { readonly krw: number; readonly free: boolean };
    }
  /** It was completed, and its extraction has been deleted. */
  | {
      readonly kind: 'deleted';
      readonly finishedAt: string;
      readonly foundTable: boolean;
      readonly cost: { readonly krw: number; readonly free: boolean };
    }
  | { readonly kind: 'failed'; readonly finishedAt: string; readonly error: ImageError };

export interface ImageError {
  /** One of the codes of a single call's errors, or `processing_failed`. */
  readonly code: string;
  readonly message: string;
}

export function completedOutcome(
  extractionId: string,
  page: Pick<JudgedPage, 'summary' | 'foundTable' | 'geometry'>,
  cost: { readonly krw: number; readonly free: boolean },
  finishedAt: string,
): ImageOutcome {
  const { summary, foundTable, geometry } = page;
  const { items: itemCount, byStatus } = summary;
  return { kind: 'completed', finishedAt, extractionId, itemCount, foundTable, byStatus, geometry, cost };
}
