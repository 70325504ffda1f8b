import type { Raster } from '../camera/raster.ts';
import type { DocumentType, TableTruth } from '../truth.ts';

/** A flat, upright page before any camera or scanner saw it. */
export interface PageImage {
  readonly raster: Raster;
  readonly documentType: DocumentType;
  readonly table: TableTruth | null;
  readonly made: Readonly<Record<string, string | number | boolean>>;
}
