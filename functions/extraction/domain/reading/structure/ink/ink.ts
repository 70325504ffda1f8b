import { quantileLevel } from '../../levels.ts';
import type { EvenPage } from './normalise-illumination.ts';

/** One byte a pixel: 1 where there is ink. */
export interface Ink {
  readonly width: number;
  readonly height: number;
  readonly bits: Uint8Array;
}

/** Ink of a flattened page that is darker than this is print: the soft edges of letters and rules are lighter. */
export const PRINT = 150;

/** Splits a flattened page (paper 255) into ink and paper by Otsu's threshold, held to a range that noise cannot leave. */
export function findInk({ width, height, pixels, histogram }: EvenPage): Ink {
  const threshold = Math.min(205, Math.max(130, otsu(histogram)));
  const bits = new Uint8Array(pixels.length);
  for (let i = 0; i < bits.length; i++) bits[i] = pixels[i]! < threshold ? 1 : 0;
  return { width, height, bits };
}

/** Standard deviation of the paper's levels; taken from their lighter side, for a dense page has its letters on the darker. */
export function paperNoise({ histogram }: EvenPage): number {
  return (quantileLevel(histogram, 0.75) - quantileLevel(histogram, 0.5)) / 0.67;
}

function otsu(histogram: Float64Array): number {
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
