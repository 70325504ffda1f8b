import type { Raster } from '../raster.ts';
import { findPrint, type Print } from './find-print.ts';
import { blackTopHat } from './ink/black-top-hat.ts';
import { type Component, findComponents } from './ink/components.ts';
import { withPrintUnderStrokes } from './ink/print-under-strokes.ts';
import { withoutRules } from './ink/without-rules.ts';
import type { Layout, LayoutFinder } from './layout.ts';
import { withHighlightedRows } from './rules/highlighted-rows.ts';
import type { RuledLine } from './rules/ruled-line.ts';
import { findRuledLines, type TracedRule } from './rules/ruled-lines.ts';
import { withCrossingPrint } from './tables/crossing-print.ts';
import type { Extent, GridTable } from './tables/grid.ts';
import { withOverhangingPrint } from './tables/overhanging-print.ts';
import { findFrames, findRuledTables } from './tables/ruled-tables.ts';
import { bodyHeight, findWords, type Word } from './tables/words.ts';

/** Where things are on an upright page, before anything is recognised. */
export interface PageStructure {
  /** The page with even, white paper and without ruled lines: what lines of text are cut from. */
  readonly clean: Raster;
  /** The same page with its ruled lines, 1 for every pixel of one, and those across the page as they run. */
  readonly ruled: { readonly page: Raster; readonly mask: Uint8Array; readonly rows: readonly TracedRule[] };
  /** 1 for every pixel from which a pen's stroke or a seal was taken out; absent where none was. */
  readonly marks?: Uint8Array;
  /** Pieces of ink that are not ruled lines. */
  readonly components: readonly Component[];
  /** Height of the letters that most of the page is set in, pixels. */
  readonly letterHeight: number;
  readonly words: readonly Word[];
  /** The same print split into words at narrower blanks, as those between two columns may be. */
  readonly close: readonly Word[];
  /** Top to bottom. */
  readonly tables: readonly GridTable[];
}

/** Gap in letter heights, up to which letters are one word for sure, also where letters are set wide. */
const CLOSE = 0.55;
/** Gap of the headers of neighbouring columns that fill their cells: hardly more than that of letters. */
const TIGHT = 0.25;

/** The structure of an upright page. @returns null if the page has too few letters for a text. */
export async function findStructure(page: Raster, layouts: LayoutFinder): Promise<PageStructure | null> {
  const print = findPrint(page);
  return print && structureOf(print, layouts);
}

/** The same of a page whose print is known. */
export async function structureOf(print: Print, layouts: LayoutFinder): Promise<PageStructure | null> {
  return findTables(print, await layouts.find(print.clean, print.letterHeight));
}

/**
 * Finds the ruled tables among a page's print.
 * @returns null if too few letters for a text remain without the rules.
 */
export function findTables(print: Print, layout: Layout): PageStructure | null {
  const { clean: flat, ink, bands, marks } = print;
  const limits = {
    minHorizontal: Math.max(32, 5 * print.letterHeight),
    minVertical: Math.max(28, 2.6 * print.letterHeight),
    maxThickness: Math.max(8, 0.5 * print.letterHeight),
    letterHeight: print.letterHeight,
  };
  const lines = findRuledLines(layout, flat, blackTopHat(flat, 0.5 * print.letterHeight), ink, limits);
  const parts = findComponents(lines.text).filter((part) => !isEdge(part, flat));
  const letterHeight = bodyHeight(parts);
  if (letterHeight === null) return null;
  const { horizontal, vertical } = withHighlightedRows(
    {
      horizontal: [...lines.horizontal, ...bands.flatMap(edgesOf)],
      vertical: lines.vertical.filter((line) => line.to - line.from > 1.4 * letterHeight),
    },
    letterHeight,
  );
  const frames = findFrames(horizontal, vertical, letterHeight);
  const components = withPrintUnderStrokes(lines.text, parts, letterHeight);
  const words = findWords(components, letterHeight);
  const close = findWords(components, letterHeight, CLOSE);
  const tight = findWords(components, letterHeight, TIGHT);
  const ruled = findRuledTables(frames, words, { close, tight }, letterHeight);
  const clean = withoutRules(flat, lines.mask, letterHeight);
  const tables = ruled
    .map((table) => withOverhangingPrint(table, words))
    .map((table) => withCrossingPrint(table, { close, tight }, letterHeight))
    .sort((a, b) => a.top - b.top);
  return {
    clean,
    ruled: {
      page: flat,
      mask: lines.mask,
      rows: lines.traces,
    },
    ...(marks && { marks }),
    components,
    letterHeight,
    words,
    close,
    tables,
  };
}

/** The upper and the lower edge of a fill part rows as rules do. */
function edgesOf({ left, right, top, bottom }: Extent): readonly RuledLine[] {
  return [top, bottom].map((at) => ({ from: left, to: right, at, slope: 0, thickness: 1 }));
}

/** The rim left by cropping a photo: a pixel or two outside the page. */
function isEdge({ left, top, right, bottom }: Component, { width, height }: Raster): boolean {
  const acrossRim = (left === 0 || right === width) && right - left <= 2;
  const alongRim = (top === 0 || bottom === height) && bottom - top <= 2;
  return acrossRim || alongRim;
}
