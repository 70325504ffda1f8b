import type { Raster } from '../camera/raster.ts';
import type { DocumentType, PrintedText, TableTruth } from '../truth.ts';

/** A flat, upright page before any camera or scanner saw it. */
export interface PageImage {
  readonly raster: Raster;
  readonly documentType: DocumentType;
  readonly table: TableTruth | null;
  readonly texts?: readonly PrintedText[];
  readonly made: Readonly<Record<string, string | number | boolean>>;
}
