import type { ExtractionResult } from './extraction.ts';

/** Function that reads drug tables for other parts of the platform. */
export const READ_TABLE = 'extraction.read-table';

/** Its event: exactly one of `image`, in base64, and `imageUrl`. */
export interface TableToRead {
  /** Charged. */
  readonly workspaceId: string;
  readonly keyId: string | null;
  /** Application whose tool or workflow asks; absent or null: none. */
  readonly applicationId?: string | null;
  /** 1 to 255 visible ASCII characters; a second event with it is neither read nor charged again. */
  readonly idempotencyKey: string;
  readonly image?: string;
  readonly imageUrl?: string;
  readonly templateId?: string;
  readonly serviceDate?: string;
  /** Of a PDF or TIFF, from 1; absent: the first. */
  readonly page?: number;
  readonly fileName?: string;
  readonly reference?: string;
}

export type { ExtractionResult as TableReading };
