import type { Geometry, Quad } from './geometry.ts';
import type { Template } from './template.ts';

/**
 * Reads the tables of one page image. Owned by the domain; adapters: `embedded` (our own pipeline) and `textract`. A reader reports
 * visible content, cell by cell, and does not judge it.
 */
export interface TableReader {
  /**
   * @param image the uploaded bytes, undecoded: JPEG, PNG, WebP, TIFF, BMP or PDF.
   * @throws ImageRefused when the bytes are not an acceptable image (type, size, damage). An image that decodes but shows
   *   nothing legible is not an error: it gives a reading without tables whose `image.issues` say why.
   * @throws ReaderUnavailable when the page cannot be read now, or not before its deadline.
   */
  read(image: Uint8Array, template: Template, options?: ReadOptions): Promise<PageReading>;
}

export interface ReadOptions {
  /**
   * Epoch milliseconds after which the reading is of no use. A reader that has to choose serves the nearest deadline of a
   * workspace first, and pages without one last.
   */
  readonly deadlineMs?: number | undefined;
  /** Readers are shared fairly between workspaces. */
  readonly workspaceId?: string | undefined;
  /** Page of a PDF or TIFF, from 1; absent: the first one, with the issue `multiple_pages` if there are more. */
  readonly page?: number | undefined;
}

export interface PageReading {
  readonly geometry: Geometry;
  readonly image: ImageQuality;
  /** Tables in reading order; coordinates are pixels of the page as it was read (`page`). */
  readonly tables: readonly ReadTable[];
  /** Lines of text outside every table (titles, totals, stamps): enough to identify the kind of document. */
  readonly texts: readonly ReadText[];
  /**
   * Places where the upper or the lower edge of the picture cuts letters, and print that is too much to be read; absent where the reader does not look.
   */
  readonly cut?: readonly Box[];
  /** Service that was to read the page; absent where the deployment uses none. */
  readonly service?: ReadingService;
  /** Size of the upright, rectified page that every box refers to; and its corners in the upload, where they are known. */
  readonly page: { readonly width: number; readonly height: number; readonly corners?: Quad };
}

/** The part of a service of AWS in a reading. */
export interface ReadingService {
  readonly name: 'textract' | 'bedrock';
  /**
   * `read`: its reading is used. Else our own reading is: `not_asked`, because our own found no drug table; `throttled` or `failed`, because the
   * service did not answer.
   */
  readonly outcome: 'read' | 'not_asked' | 'throttled' | 'failed';
}

export interface ImageQuality {
  readonly readable: boolean;
  readonly issues: readonly ImageIssue[];
  /**
   * Whether it has no grain, as what a program draws (a screen, a file that was printed to a picture): no lens, sensor or paper blurs its letters.
   * A scan in two levels passes for one.
   */
  readonly drawn: boolean;
}

export type ImageIssue =
  | 'blurred'
  | 'too_small'
  | 'too_dark'
  | 'low_contrast'
  | 'no_text'
  | 'low_resolution'
  | 'multiple_pages'
  | 'multiple_tables';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The reading of one place. `confidence` is 0 to 1, calibrated: the share of such readings that are exact. */
export interface Reading {
  readonly text: string;
  readonly confidence: number;
  /** Confidence of each letter of `text`, where the reader rates them one by one. */
  readonly letters?: readonly number[];
  /** Of each letter of `text` that was not read surely, the others that it may be; empty for the rest. */
  readonly rivals?: readonly string[];
  /** Chance that ink behind the last letter is one more, such as the part of a letter that a column's edge leaves; absent where it shows none. */
  readonly unreadEnd?: number;
}

export interface ReadText extends Reading {
  readonly box: Box;
  /** As for a cell; absent where the reader did not look. */
  readonly numeral?: Reading | null;
  /** Whether a pen's stroke or a stamp crosses or touches it, so that letters may be missing. */
  readonly crossed?: boolean;
  /** The pieces of a line with wide blanks, left to right, each read separately. */
  readonly pieces?: readonly ReadPiece[];
}

export interface ReadTable {
  readonly box: Box;
  readonly rowCount: number;
  readonly columnCount: number;
  /** Every cell of the grid, row by row; a merged cell is listed once, at its top left. */
  readonly cells: readonly ReadCell[];
  /** False when the table runs over the edge of the page or rows near it could not be told apart. */
  readonly bounded: boolean;
}

export interface ReadCell {
  /** 0-based grid position. */
  readonly row: number;
  readonly column: number;
  readonly rowSpan: number;
  readonly columnSpan: number;
  readonly box: Box;
  /** True when the cell holds no ink. */
  readonly blank: boolean;
  /** Read with the whole alphabet. */
  readonly text: Reading;
  /**
   * Read again with only `0-9 , . -` allowed: what a numeric column should use. Null when the reader did not look,
   * or nothing numeric can be read.
   */
  readonly numeral: Reading | null;
  /** Whether a pen's stroke or a stamp crosses or touches its print. */
  readonly crossed?: boolean;
  /** The printed lines of the cell, top to bottom, where the reader tells them apart. */
  readonly lines?: readonly ReadLine[];
}

/** Print at one place, read with the whole alphabet and as a numeral. */
export interface ReadPiece extends ReadText {
  readonly numeral: Reading | null;
}

/** One printed line of a cell. */
export type ReadLine = ReadPiece;
