import type { Raster } from '../raster.ts';
import { findComponents } from './components.ts';
import type { Extent } from './grid.ts';
import type { Ink } from './ink.ts';
import { lightestBlocks } from './lightest-blocks.ts';

/** A fill darker than this part of the paper around it may bear light letters. */
const DARK = 0.62;
/** In letter heights: the rules of a table would tie a fill to all that they frame. */
const RULE_THICKNESS = 0.3;
/** Part of its box that a fill covers at least, without the narrow places between its letters. */
const MIN_COVERED = 0.3;
/** Part of a band that is light where letters stand in it; a band without any is a bar or the edge of a desk. */
const LIGHT_SHARE = { min: 0.01, max: 0.45 };
/** In letter heights: a header of one to some lines, each of its cells, all of them together. */
const HEIGHT = { min: 1.3, max: 8 };
const MIN_CELL_WIDTH = 1.5;
const MIN_BAND_WIDTH = 8;
/** How far apart the edges of one band's cells may be. */
const SLACK = 0.4;
/** The page is at least so many blocks wide, in each of which the paper is looked for. */
const BLOCKS = 10;

interface Fill extends Extent {
  readonly dark: number;
  readonly paper: number;
  /** Pixels that stand out against it. */
  readonly light: number;
}

interface Band {
  readonly extent: Extent;
  readonly fills: readonly Fill[];
}

/** A page on which all letters are darker than their ground, and the bands in which they were not. */
export interface DarkOnLight {
  readonly page: Raster;
  readonly bands: readonly Extent[];
}

/** Turns bands of light letters on a dark fill, as headers often are, to dark letters on paper. */
export function invertTextBands(page: Raster, letterHeight: number): DarkOnLight {
  const fills = findDarkFills(page, letterHeight);
  const bands = toBands(fills, SLACK * letterHeight).filter((band) => bearsText(band, letterHeight));
  if (bands.length === 0) return { page, bands: [] };
  const pixels = page.pixels.slice();
  for (const { left, top, right, bottom, dark, paper } of bands.flatMap((band) => band.fills))
    for (let y = top; y < bottom; y++)
      for (let at = y * page.width + left; at < y * page.width + right; at++)
        pixels[at] = Math.max(0, Math.min(255, paper + dark - pixels[at]!));
  return { page: { ...page, pixels }, bands: bands.map(({ extent }) => extent) };
}

function bearsText({ fills }: Band, letterHeight: number): boolean {
  const sum = (of: (fill: Fill) => number) => fills.reduce((total, fill) => total + of(fill), 0);
  const share = sum(({ light }) => light) / sum(({ left, right, top, bottom }) => (right - left) * (bottom - top));
  const width = sum(({ left, right }) => right - left);
  return width >= MIN_BAND_WIDTH * letterHeight && share >= LIGHT_SHARE.min && share <= LIGHT_SHARE.max;
}

function findDarkFills(page: Raster, letterHeight: number): readonly Fill[] {
  const { width, height, pixels } = page;
  const size = Math.max(16, Math.ceil(width / BLOCKS));
  const paper = lightestBlocks(page, size);
  const paperAt = (x: number, y: number) => paper.pixels[Math.floor(y / size) * paper.width + Math.floor(x / size)]!;
  const bits = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y++)
    for (let left = 0; left < width; left += size) {
      const dark = Math.ceil(DARK * paperAt(left, y));
      const end = y * width + Math.min(width, left + size);
      for (let i = y * width + left; i < end; i++) if (pixels[i]! < dark) bits[i] = 1;
    }
  const thick = withoutThin({ width, height, bits }, Math.max(3, Math.round(RULE_THICKNESS * letterHeight)));
  return findComponents(thick).flatMap((part) => {
    const [w, h] = [part.right - part.left, part.bottom - part.top];
    if (h < HEIGHT.min * letterHeight || h > HEIGHT.max * letterHeight || w < MIN_CELL_WIDTH * letterHeight) return [];
    if (part.area < MIN_COVERED * w * h) return [];
    const ground = paperAt((part.left + part.right) >> 1, (part.top + part.bottom) >> 1);
    return [{ ...part, paper: ground, ...levelsIn(page, part, ground) }];
  });
}

/** Leaves what is at least `thickness` pixels both across and down. */
function withoutThin({ width, height, bits }: Ink, thickness: number): Ink {
  const left = longRuns(bits, width, thickness);
  // How far each column's run goes on, row by row: whole columns would be far apart in memory.
  const lengths = new Uint32Array(width);
  for (let y = 0; y <= height; y++)
    for (let x = 0, i = y * width; x < width; x++, i++) {
      if (y < height && bits[i]) {
        lengths[x]!++;
        continue;
      }
      const length = lengths[x]!;
      if (length === 0) continue;
      if (length < thickness) for (let at = i - length * width; at < i; at += width) left[at] = 0;
      lengths[x] = 0;
    }
  return { width, height, bits: left };
}

function longRuns(bits: Uint8Array, width: number, length: number): Uint8Array {
  const out = new Uint8Array(bits.length);
  for (let row = 0; row < bits.length; row += width)
    for (let x = 0; x < width; x++) {
      const start = x;
      while (x < width && bits[row + x]) x++;
      if (x - start >= length) out.fill(1, row + start, row + x);
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

/** Cells of one header stand side by side, parted by light rules. */
function toBands(fills: readonly Fill[], slack: number): readonly Band[] {
  const bands: { extent: Extent; fills: Fill[] }[] = [];
  for (const fill of fills) {
    const band = bands.find(
      ({ extent }) => Math.abs(extent.top - fill.top) <= slack && Math.abs(extent.bottom - fill.bottom) <= slack,
    );
    if (!band) bands.push({ extent: fill, fills: [fill] });
    else {
      band.fills.push(fill);
      band.extent = {
        left: Math.min(band.extent.left, fill.left),
        top: Math.min(band.extent.top, fill.top),
        right: Math.max(band.extent.right, fill.right),
        bottom: Math.max(band.extent.bottom, fill.bottom),
      };
    }
  }
  return bands;
}
