import type { Size } from '../../extraction/domain/reading/geometry.ts';
import type { Raster } from '../../extraction/domain/reading/raster.ts';

export interface DecodedImage {
  /** Gray, on white paper, of at most 7 megapixels. */
  readonly raster: Raster;
  /**
   * Of the upload as it is stored. A camera's orientation tag is not applied: the text on the page tells what is up, and
   * tells it better; the rotation that is reported then contains the camera's.
   */
  readonly source: Size;
  readonly pageCount: number;
}
