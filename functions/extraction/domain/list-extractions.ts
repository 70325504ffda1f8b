import type { Summary } from './extraction.ts';

/** An extraction as lists show it. */
export interface ListedExtraction {
  readonly extractionId: string;
  readonly createdAt: string;
  readonly documentType: string;
  readonly foundTable: boolean;
  readonly itemCount: number;
  /** Null of extractions of earlier releases, as is `openLines`. */
  readonly byStatus: Summary['byStatus'] | null;
  /** Lines that need a review and have no decision. */
  readonly openLines: number | null;
  /** Of the batch that it belongs to; null for a single call. */
  readonly jobId: string | null;
  /** As the caller gave them, or null. */
  readonly fileName: string | null;
  readonly reference: string | null;
  /** Whether its image was stored; uploads are kept for days, so that it may be gone by now. */
  readonly pictureStored: boolean;
}

export interface ListedJob {
  readonly jobId: string;
  readonly total: number;
  readonly createdAt: string;
}

export interface ExtractionFilter {
  /** True: with open lines only; false: without. */
  readonly needsReview?: boolean | undefined;
  readonly foundTable?: boolean | undefined;
  readonly jobId?: string | undefined;
  /** Part of the file name or reference, in capitals or not. */
  readonly search?: string | undefined;
}

export interface Listed<Entry> {
  /** Newest first; the page before a cursor may have fewer than were asked for. */
  readonly entries: readonly Entry[];
  readonly nextCursor: string | null;
}

export interface ExtractionLists {
  /** @param before the id of an entry: only older ones; null: from the newest on. */
  extractions(
    workspaceId: string,
    query: { readonly limit: number; readonly before: string | null } & ExtractionFilter,
  ): Promise<Listed<ListedExtraction>>;
  jobs(
    workspaceId: string,
    query: { readonly limit: number; readonly before: string | null },
  ): Promise<Listed<ListedJob>>;
}

export function fits(entry: ListedExtraction, filter: ExtractionFilter): boolean {
  const { foundTable, openLines, jobId, fileName, reference } = entry;
  if (filter.needsReview !== undefined && filter.needsReview !== (openLines ?? 0) > 0) return false;
  if (filter.foundTable !== undefined && filter.foundTable !== foundTable) return false;
  if (filter.jobId !== undefined && filter.jobId !== jobId) return false;
  if (filter.search === undefined) return true;
  const sought = comparable(filter.search);
  return [fileName, reference].some((label) => label !== null && comparable(label).includes(sought));
}

/** File names of macOS have their Hangul syllables taken apart. */
const comparable = (text: string) => text.normalize('NFC').toLowerCase();

export const EXTRACTION_CURSOR = /^ext_[0-9A-HJKMNP-TV-Z]{26}$/;
export const JOB_CURSOR = /^job_[0-9A-HJKMNP-TV-Z]{26}$/;
