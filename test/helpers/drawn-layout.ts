import type { Raster } from '../../functions/extraction/domain/reading/raster.ts';
import { findPrint } from '../../functions/extraction/domain/reading/structure/find-print.ts';
import { findTables, type PageStructure } from '../../functions/extraction/domain/reading/structure/find-tables.ts';
import type { Layout, LayoutFinder } from '../../functions/extraction/domain/reading/structure/layout.ts';

/** In pixels: no letter of a drawn page is as long, and neighbouring ones do not touch. */
const MIN_RUN = 24;
const INK = 235;

/** Takes straight runs of a drawn page's ink for its rules; stands in for the network where no letter is drawn as such. */
export const drawnLayouts: LayoutFinder = { find: async (page) => layoutOf(page) };

/** The structure of a drawn page. */
export function drawnStructure(page: Raster): PageStructure | null {
  const print = findPrint(page);
  return print && findTables(print, layoutOf(print.clean));
}

function layoutOf({ width, height, pixels }: Raster): Layout {
  const rows = new Uint8Array(pixels.length);
  const columns = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y++) markRuns(pixels, y * width, 1, width, rows);
  for (let x = 0; x < width; x++) markRuns(pixels, x, width, height, columns);
  return { rows: spread(rows, width), columns: spread(columns, 1) };
}

/** Marks the long runs among `count` pixels that are `step` apart. */
function markRuns(pixels: Uint8Array, first: number, step: number, count: number, marked: Uint8Array): void {
  for (let at = 0; at < count; at++) {
    const from = at;
    while (at < count && pixels[first + at * step]! < INK) at++;
    if (at - from >= MIN_RUN) for (let i = from; i < at; i++) marked[first + i * step] = 1;
  }
}

/** A network shows rules a pixel wider to both sides: of one that is askew, the steps overlap. */
function spread(marked: Uint8Array, step: number): Uint8Array {
  return marked.map((mark, i) => mark | (marked[i - step] ?? 0) | (marked[i + step] ?? 0));
}
