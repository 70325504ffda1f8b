import { histogramOf, quantileLevel } from '../../levels.ts';
import type { Raster } from '../../raster.ts';
import { closing } from './closing.ts';
import { lightestBlocks } from './lightest-blocks.ts';

/** The darkest print of a page, as a share of its pixels, and its level beyond which it is pale: a photo in haze or little toner. */
const DARKEST_SHARE = 0.001;
const PALE_PRINT = 155;
/** Level to which the darkest of pale print is brought. */
const PRINT_LEVEL = 110;
/** Paper darker than this counts as this. */
const MIN_PAPER = 40;
/** The normalised value of each level on each level of paper: 256 for the darkest paper, then 256 for the next. */
const ON_PAPER = Uint8Array.from({ length: 256 * 256 }, (_, index) =>
  Math.min(255, ((index & 255) * 255) / Math.max(MIN_PAPER, index >> 8)),
);

/** A page on even, white paper. */
export interface EvenPage extends Raster {
  /** How often each level occurs. */
  readonly histogram: Float64Array;
}

/**
 * Evens out shadows, zebra stripes and gray fills: every pixel is divided by the paper around it, so that all paper becomes white. The
 * paper is found by a gray closing, which removes darker structures thinner than `reach` pixels; since paper changes slowly, a smaller
 * picture is enough. If all print is pale, contrast is stretched.
 */
export function normaliseIllumination(page: Raster, reach: number): EvenPage {
  const factor = Math.max(1, Math.min(4, Math.floor(reach / 8)));
  const radius = Math.max(1, Math.round(reach / factor / 2));
  const paper = closing(lightestBlocks(page, factor), radius, radius);
  const { width, height, pixels: source } = page;
  const pixels = new Uint8Array(width * height);
  // Where the levels start of the paper around each pixel of a row.
  const levels = new Uint16Array(width);
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / factor) * paper.width;
    if (y % factor === 0) for (let x = 0; x < width; x++) levels[x] = paper.pixels[row + Math.floor(x / factor)]! << 8;
    for (let x = 0, i = y * width; x < width; x++, i++) pixels[i] = ON_PAPER[levels[x]! + source[i]!]!;
  }
  return { width, height, pixels, histogram: stretchPalePrint(pixels) };
}

/** In place. @returns how often each level then occurs. */
function stretchPalePrint(pixels: Uint8Array): Float64Array {
  const histogram = histogramOf(pixels);
  const darkest = quantileLevel(histogram, DARKEST_SHARE);
  // A page without print has nothing to stretch but its noise.
  if (darkest < PALE_PRINT || darkest > 255 - (255 - PALE_PRINT) / 2) return histogram;
  const gain = (255 - PRINT_LEVEL) / (255 - darkest);
  const levels = Uint8Array.from({ length: 256 }, (_, level) => Math.max(0, Math.round(255 - (255 - level) * gain)));
  for (let i = 0; i < pixels.length; i++) pixels[i] = levels[pixels[i]!]!;
  const stretched = new Float64Array(256);
  histogram.forEach((count, level) => {
    stretched[levels[level]!]! += count;
  });
  return stretched;
}
