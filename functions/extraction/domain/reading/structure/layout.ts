import type { Raster } from '../raster.ts';

/** The pixels of an upright page that are ruled lines, also between dashes and where print or a seal hides a line. */
export interface Layout {
  /** 1 for every pixel of a rule across the page, row by row. */
  readonly rows: Uint8Array;
  /** 1 for every pixel of one down the page. */
  readonly columns: Uint8Array;
}

/** Finds the ruled lines of a page. */
export interface LayoutFinder {
  /**
   * @param page on white, even paper, print darker than it.
   * @param letterHeight in pixels: how large most print of the page is.
   */
  find(page: Raster, letterHeight: number): Promise<Layout>;
}
