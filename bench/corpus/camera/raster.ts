/** 8-bit RGB pixels, row by row, without padding. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}
