import type { Raster } from '../raster.ts';

/** Which pixels of an upright page are ruled lines, as these run: between their dashes and under what hides them, too. */
export interface Layout {
  /** 1 for every pixel of a rule across the page, row by row. */
  readonly rows: Uint8Array;
  /** 1 for every pixel of one down the page. */
  readonly columns: Uint8Array;
}

/** Tells what the pixels of a page belong to. */
export interface LayoutFinder {
  /** @param letterHeight in pixels: how large most print of the page is. */
  find(page: Raster, letterHeight: number): Promise<Layout>;
}
