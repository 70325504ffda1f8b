import type { JudgedPage } from './extraction.ts';

/** An extraction as it is kept for later look-up. */
export interface StoredExtraction {
  readonly extractionId: string;
  readonly workspaceId: string;
  readonly createdAt: string;
  /** ISO time after which it counts as absent. */
  readonly expiresAt: string;
  readonly page: JudgedPage;
}

export interface Extractions {
  /** @returns null when there is none, it has expired, or another workspace owns it. */
  find(workspaceId: string, extractionId: string): Promise<StoredExtraction | null>;
  /** By id; missing ones are left out. */
  findAll(workspaceId: string, extractionIds: readonly string[]): Promise<ReadonlyMap<string, StoredExtraction>>;
}

export const EXTRACTION_KEPT_DAYS = 30;
