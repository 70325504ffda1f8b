import type { Raster } from '../raster.ts';

/** Side of the sampled squares in pixels; on any page some of them are between lines. */
const SQUARE = 8;
/** Part of the squares that hold paper alone, on a page dense with print as well. */
const PAPER_SHARE = 0.05;
/** Darker paper counts as this: it is brought to white no farther. */
const MIN_PAPER = 40;
/** Deviation of the paper's levels, as a part of them. From 0.07 on grains are as dark as pale print; photos by daylight stay below 0.03. */
const MAX_GRAIN = 0.05;
/** Less than this is not a reason why nothing can be read. */
export const LEAST_GRAIN = 0.02;
/** Pixels on either side that a pixel is averaged with: about a stroke of small print. */
const REACH = 3;
/** In deviations of the blurred paper's levels, between two pixels of it that are still alike; print is farther off. */
const ALIKE = 3.5;

/**
 * A page photographed in too little light is all grain: thousands of specks of it are ink, letters to all that follows. Each pixel becomes the
 * mean of those around it that are like it, so that paper evens out and print keeps its edges. A page without such grain stays as it is.
 * @param allowed grain that is left.
 */
export function smoothGrain(page: Raster, allowed = MAX_GRAIN): Raster {
  if (grainOf(page) <= allowed) return page;
  // Whether two pixels are alike is seen where grain is less: a grain is as far off the paper as print is.
  const blurred = blur(page);
  return { ...page, pixels: meanOfAlike(page, blurred.pixels, ALIKE * grainOf(blurred)) };
}

/** Relative variation of bare paper's levels: the standard deviation within small squares, taking the emptiest as paper. */
export function grainOf({ width, height, pixels }: Raster): number {
  const [across, down] = [Math.floor(width / SQUARE), Math.floor(height / SQUARE)];
  const count = SQUARE ** 2;
  const grains = Float64Array.from({ length: across * down }, (_, index) => {
    const left = SQUARE * (index % across);
    const top = SQUARE * Math.floor(index / across);
    let sum = 0;
    let squares = 0;
    for (let y = top; y < top + SQUARE; y++)
      for (let i = y * width + left; i < y * width + left + SQUARE; i++) {
        sum += pixels[i]!;
        squares += pixels[i]! * pixels[i]!;
      }
    const mean = sum / count;
    return Math.sqrt(Math.max(0, squares / count - mean * mean)) / Math.max(MIN_PAPER, mean);
  }).sort();
  return grains[Math.floor(PAPER_SHARE * grains.length)] ?? 0;
}

/** @param deviation between pixels that are alike, as a part of their level. */
function meanOfAlike({ width, height, pixels }: Raster, guide: Uint8Array, deviation: number): Uint8Array {
  // For each level 256 weights: how much a pixel of each other level is like it.
  const weights = Float32Array.from({ length: 256 * 256 }, (_, index) => {
    const level = index >> 8;
    const off = ((index & 255) - level) / (deviation * Math.max(MIN_PAPER, level));
    return Math.exp((-off * off) / 2);
  });
  const out = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y++) {
    const [top, bottom] = [Math.max(0, y - REACH), Math.min(height - 1, y + REACH)];
    for (let x = 0; x < width; x++) {
      const own = guide[y * width + x]! << 8;
      const [left, right] = [Math.max(0, x - REACH), Math.min(width - 1, x + REACH)];
      let sum = 0;
      let total = 0;
      for (let row = top * width; row <= bottom * width; row += width)
        for (let i = row + left; i <= row + right; i++) {
          const weight = weights[own + guide[i]!]!;
          total += weight;
          sum += weight * pixels[i]!;
        }
      out[y * width + x] = sum / total + 0.5;
    }
  }
  return out;
}

/** Each pixel with its eight neighbours, weighed 1, 2, 1 in either direction. */
function blur(page: Raster): Raster {
  const { width, height, pixels } = page;
  const sums = new Uint16Array(pixels.length);
  for (let y = 0; y < height; y++)
    for (let x = 0, i = y * width; x < width; x++, i++)
      sums[i] = pixels[x > 0 ? i - 1 : i]! + 2 * pixels[i]! + pixels[x < width - 1 ? i + 1 : i]!;
  const blurred = Uint8Array.from(sums, (sum, i) => {
    const above = sums[i >= width ? i - width : i]!;
    const below = sums[i + width < sums.length ? i + width : i]!;
    return (above + 2 * sum + below + 8) >> 4;
  });
  return { ...page, pixels: blurred };
}
