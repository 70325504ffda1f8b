import type { Raster } from '../../raster.ts';
import { type Extent, hullOf } from '../tables/grid.ts';
import { findComponents } from './components.ts';
import type { Ink } from './ink.ts';
import { lightestBlocks } from './lightest-blocks.ts';
import { foursOf, nextInk } from './next-ink.ts';

/** A fill darker than this part of the paper around it may bear light letters. */
const DARK = 0.62;
/** In letter heights: the rules of a table would tie a fill to all that they frame. */
const RULE_THICKNESS = 0.3;
/** Part of its box that a fill covers at least, without the narrow places between its letters. */
const MIN_COVERED = 0.3;
/** Part of a band that is light where it holds letters; a band without any is a bar or the edge of a desk. */
const LIGHT_SHARE = { min: 0.01, max: 0.45 };
/** In letter heights: a header of one to some lines, each of its cells, all of them together. */
const HEIGHT = { min: 1.3, max: 8 };
/** In letter heights: what letters that span a cell leave of its fill above or below them. */
const MIN_PIECE_HEIGHT = 0.4;
/** Part of the rest of such a cell, its letters included, that is dark. */
const MIN_DARK = 0.5;
/** More dark parts than any form has are those of a photo, in which such cells would take too long to find. */
const MAX_PARTS = 2_000;
const MIN_CELL_WIDTH = 1.5;
const MIN_BAND_WIDTH = 8;
/**
 * In letter heights: a tab's letters lie one below the other; `minCovered` is the part of a box next to them that it covers, since
 * programs draw it level.
 */
const TAB = { width: 4, minCovered: 0.75 };
/** How far apart the edges of one band's cells may be. */
const SLACK = 0.4;
/** Minimum number of blocks across the page; the paper is measured in each. */
const BLOCKS = 10;

interface Fill extends Extent {
  readonly dark: number;
  readonly paper: number;
  /** Pixels that stand out against it. */
  readonly light: number;
}

interface Band {
  readonly extent: Extent;
  readonly cells: readonly Extent[];
}

/** A page on which all letters are darker than their ground, and the bands in which they were not. */
export interface DarkOnLight {
  readonly page: Raster;
  readonly bands: readonly Extent[];
}

/** Turns bands of light letters on a dark fill, as headers often are, to dark letters on paper. */
export function invertTextBands(page: Raster, letterHeight: number): DarkOnLight {
  const paper = paperOf(page);
  const dark = darkOn(page, paper);
  const parts = findDarkParts(dark, letterHeight);
  const cells = parts.filter(({ top, bottom }) => bottom - top >= HEIGHT.min * letterHeight);
  const bands = withCutCells(toBands(cells, SLACK * letterHeight), parts, dark, SLACK * letterHeight)
    .map(({ extent, cells }) => ({ extent, fills: cells.map((cell) => fillOf(cell, page, paper)) }))
    .filter(({ fills }) => bearText(fills, letterHeight));
  if (bands.length === 0) return { page, bands: [] };
  const pixels = page.pixels.slice();
  for (const { left, top, right, bottom, dark, paper } of bands.flatMap((band) => band.fills))
    for (let y = top; y < bottom; y++)
      for (let at = y * page.width + left; at < y * page.width + right; at++)
        pixels[at] = Math.max(0, Math.min(255, paper + dark - pixels[at]!));
  return { page: { ...page, pixels }, bands: bands.map(({ extent }) => extent) };
}

function bearText(fills: readonly Fill[], letterHeight: number): boolean {
  const sum = (of: (fill: Fill) => number) => fills.reduce((total, fill) => total + of(fill), 0);
  const share = sum(({ light }) => light) / sum(({ left, right, top, bottom }) => (right - left) * (bottom - top));
  const width = sum(({ left, right }) => right - left);
  return width >= MIN_BAND_WIDTH * letterHeight && share >= LIGHT_SHARE.min && share <= LIGHT_SHARE.max;
}

/** The level of the paper at every place of a page, which is the same all over a block of `size` pixels. */
interface Paper {
  readonly size: number;
  readonly at: (x: number, y: number) => number;
}

function paperOf(page: Raster): Paper {
  const size = Math.max(16, Math.ceil(page.width / BLOCKS));
  const { pixels, width } = lightestBlocks(page, size);
  return { size, at: (x, y) => pixels[Math.floor(y / size) * width + Math.floor(x / size)]! };
}

/** Pixels as dark as a fill. */
function darkOn({ width, height, pixels }: Raster, { size, at }: Paper): Ink {
  const bits = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y++)
    for (let left = 0; left < width; left += size) {
      const dark = Math.ceil(DARK * at(left, y));
      const end = y * width + Math.min(width, left + size);
      for (let i = y * width + left; i < end; i++) if (pixels[i]! < dark) bits[i] = 1;
    }
  return { width, height, bits };
}

/** Dark fills, and parts of such. */
function findDarkParts(dark: Ink, letterHeight: number): readonly Extent[] {
  const thick = withoutTabs(
    withoutThin(dark, Math.max(3, Math.round(RULE_THICKNESS * letterHeight))),
    HEIGHT.max * letterHeight,
    TAB.width * letterHeight,
  );
  return findComponents(thick).filter(({ left, right, top, bottom, area }) => {
    const [w, h] = [right - left, bottom - top];
    return (
      h >= MIN_PIECE_HEIGHT * letterHeight &&
      h <= HEIGHT.max * letterHeight &&
      w >= MIN_CELL_WIDTH * letterHeight &&
      area >= MIN_COVERED * w * h
    );
  });
}

function fillOf(cell: Extent, page: Raster, paper: Paper): Fill {
  const ground = paper.at((cell.left + cell.right) >> 1, (cell.top + cell.bottom) >> 1);
  return { ...cell, paper: ground, ...levelsIn(page, cell, ground) };
}

/** Keeps ink at least `thickness` pixels wide and high. */
function withoutThin({ width, height, bits }: Ink, thickness: number): Ink {
  return withoutLow({ width, height, bits: longRuns(bits, width, thickness) }, thickness);
}

/**
 * Keeps ink at least this number of pixels high.
 * @param ink is changed.
 */
function withoutLow(ink: Ink, minHeight: number): Ink {
  const { width, bits } = ink;
  const fours = foursOf(bits);
  const end = bits.length;
  for (let i = nextInk(bits, fours, 0, end); i < end; i = nextInk(bits, fours, i + 1, end)) {
    if (i >= width && bits[i - width]) continue;
    // From the top of a column's run no further down than has to be: its pixels are far apart in memory.
    const enough = i + minHeight * width;
    let to = i;
    while (to < enough && to < end && bits[to]) to += width;
    if (to < enough) for (let at = i; at < to; at += width) bits[at] = 0;
  }
  return ink;
}

/** Removes the tabs next to grids (taller than a header, narrow, with vertical names): they are connected to the grid's header. */
function withoutTabs(dark: Ink, maxHeight: number, maxWidth: number): Ink {
  const { width, height } = dark;
  const tall = withoutLow({ width, height, bits: dark.bits.slice() }, maxHeight);
  if (!tall.bits.includes(1)) return dark;
  const bits = dark.bits.slice();
  for (const { left, top, right, bottom, area } of findComponents(tall))
    if (right - left <= maxWidth && area >= TAB.minCovered * (right - left) * (bottom - top))
      for (let y = top; y < bottom; y++)
        for (let i = y * width + left; i < y * width + right; i++) if (tall.bits[i]) bits[i] = 0;
  return { width, height, bits };
}

function longRuns(bits: Uint8Array, width: number, length: number): Uint8Array {
  const out = new Uint8Array(bits.length);
  const fours = foursOf(bits);
  for (let end = width; end <= bits.length; end += width)
    for (let i = nextInk(bits, fours, end - width, end); i < end; i = nextInk(bits, fours, i, end)) {
      const from = i;
      while (i < end && bits[i]) i++;
      if (i - from >= length) out.fill(1, from, i);
    }
  return out;
}

/** The usual level of a fill, and how many of its pixels stand out against it: thin letters are blurred. */
function levelsIn({ width, pixels }: Raster, { left, top, right, bottom }: Extent, paper: number) {
  const histogram = new Uint32Array(256);
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) histogram[pixels[y * width + x]!]!++;
  const dark = histogram.indexOf(Math.max(...histogram));
  const light = histogram.subarray(Math.round(dark + 0.3 * (paper - dark))).reduce((sum, count) => sum + count, 0);
  return { dark, light };
}

/** Cells of one header are side by side, separated by light rules. */
function toBands(cells: readonly Extent[], slack: number): readonly Band[] {
  const bands: { extent: Extent; cells: Extent[] }[] = [];
  for (const cell of cells) {
    const band = bands.find(
      ({ extent }) => Math.abs(extent.top - cell.top) <= slack && Math.abs(extent.bottom - cell.bottom) <= slack,
    );
    if (!band) bands.push({ extent: cell, cells: [cell] });
    else {
      band.cells.push(cell);
      band.extent = hullOf(band.extent, cell);
    }
  }
  return bands;
}

/**
 * Adds the cells whose letters cut their fill in two: the remnants above or below the letters are between the header's upper and lower
 * edges, and the cell is dark up to these.
 */
function withCutCells(bands: readonly Band[], parts: readonly Extent[], dark: Ink, slack: number): readonly Band[] {
  if (parts.length > MAX_PARTS) return bands;
  const heightOf = ({ top, bottom }: Extent) => bottom - top;
  const taken = new Set<Extent>();
  return bands
    .toSorted((a, b) => heightOf(b.extent) - heightOf(a.extent))
    .flatMap(({ extent: { top, bottom }, cells: found }) => {
      const cells = found.filter((cell) => !taken.has(cell));
      const within = parts.filter((part) => part.top >= top - slack && part.bottom <= bottom + slack);
      for (const part of within) {
        if (taken.has(part) || cells.includes(part)) continue;
        // The other piece of a cell may have been taken before.
        const isOfCell = cells.some(({ left, right }) => part.right > left && part.left < right);
        if (!isOfCell && shareOf(dark, restOf(part, top, bottom)) < MIN_DARK) continue;
        if (!isOfCell) cells.push({ ...part, top, bottom });
        taken.add(part);
      }
      return cells.length > 0 ? [{ cells, extent: cells.reduce(hullOf) }] : [];
    });
}

/** The areas above and below a part, up to the edges of its header. */
function restOf(part: Extent, top: number, bottom: number): readonly Extent[] {
  return [
    { ...part, top, bottom: part.top },
    { ...part, top: part.bottom, bottom },
  ];
}

/** Part of some places that is dark. */
function shareOf({ width, bits }: Ink, places: readonly Extent[]): number {
  let [count, area] = [0, 0];
  for (const { left, right, top, bottom } of places)
    for (let y = top; y < bottom; y++)
      for (let i = y * width + left; i < y * width + right; i++) {
        count += bits[i]!;
        area++;
      }
  return area === 0 ? 1 : count / area;
}
