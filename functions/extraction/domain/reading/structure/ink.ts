import type { Raster } from '../raster.ts';

/** One byte a pixel: 1 where there is ink. */
export interface Ink {
  readonly width: number;
  readonly height: number;
  readonly bits: Uint8Array;
}

/** Splits a flattened page (paper 255) into ink and paper by Otsu's threshold, held to a range that noise cannot leave. */
export function findInk(flat: Raster): Ink {
  const threshold = Math.min(205, Math.max(130, otsu(flat.pixels)));
  const bits = new Uint8Array(flat.pixels.length);
  for (let i = 0; i < bits.length; i++) bits[i] = flat.pixels[i]! < threshold ? 1 : 0;
  return { width: flat.width, height: flat.height, bits };
}

/**
 * Ink for finding ruled lines: whatever is darker than the paper's own noise, so that light gray rules count too. Letters
 * are in it as well; only long straight runs are taken for lines.
 */
export function findFaintInk(flat: Raster): Ink {
  const { median, noise } = paperLevels(flat.pixels);
  const threshold = Math.max(150, Math.min(245, median - Math.max(9, 2.6 * noise)));
  const bits = new Uint8Array(flat.pixels.length);
  for (let i = 0; i < bits.length; i++) bits[i] = flat.pixels[i]! < threshold ? 1 : 0;
  return { width: flat.width, height: flat.height, bits };
}

/** The noise, a standard deviation, is taken from the lighter side: on the darker one a dense page has its letters. */
function paperLevels(pixels: Uint8Array): { median: number; noise: number } {
  const histogram = new Float64Array(256);
  for (const value of pixels) histogram[value]!++;
  const quantile = (share: number) => {
    let sum = 0;
    for (let value = 0; value < 256; value++) {
      sum += histogram[value]!;
      if (sum >= share * pixels.length) return value;
    }
    return 255;
  };
  const median = quantile(0.5);
  return { median, noise: (quantile(0.75) - median) / 0.67 };
}

function otsu(pixels: Uint8Array): number {
  const histogram = new Float64Array(256);
  for (const value of pixels) histogram[value]!++;
  let total = 0;
  let sum = 0;
  for (let value = 0; value < 256; value++) {
    total += histogram[value]!;
    sum += value * histogram[value]!;
  }
  let below = 0;
  let sumBelow = 0;
  let best = 0;
  let threshold = 170;
  for (let value = 0; value < 255; value++) {
    below += histogram[value]!;
    sumBelow += value * histogram[value]!;
    if (below === 0 || below === total) continue;
    const difference = sumBelow / below - (sum - sumBelow) / (total - below);
    const between = below * (total - below) * difference * difference;
    if (between > best) {
      best = between;
      threshold = value;
    }
  }
  return threshold + 12;
}
