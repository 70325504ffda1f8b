import type { Raster } from './raster.ts';

/** Scales to `height` pixels, keeping the aspect. */
export function resizeToHeight(source: Raster, height: number): Raster {
  return resize(source, Math.max(1, Math.round((source.width * height) / source.height)), height);
}

/** Cubic where it grows, averaging where it shrinks. */
export function resize(source: Raster, width: number, height: number): Raster {
  const columns = resampler(source.width, width);
  const rows = resampler(source.height, height);
  const between = new Float32Array(source.height * width);
  for (let y = 0; y < source.height; y++)
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let k = x * columns.taps; k < (x + 1) * columns.taps; k++)
        sum += columns.weights[k]! * source.pixels[y * source.width + columns.from[k]!]!;
      between[y * width + x] = sum;
    }
  const pixels = new Uint8Array(width * height);
  const sums = new Float64Array(width);
  for (let y = 0; y < height; y++) {
    // Whole rows at a time, as they are in memory.
    sums.fill(0);
    for (let k = y * rows.taps; k < (y + 1) * rows.taps; k++) {
      const weight = rows.weights[k]!;
      const row = rows.from[k]! * width;
      for (let x = 0; x < width; x++) sums[x]! += weight * between[row + x]!;
    }
    for (let x = 0; x < width; x++) {
      const sum = sums[x]!;
      pixels[y * width + x] = sum < 0 ? 0 : sum > 255 ? 255 : sum + 0.5;
    }
  }
  return { width, height, pixels };
}

/** Catmull-Rom taps of every output position and the source positions that they weigh; stretched by the factor when shrinking. */
function resampler(from: number, to: number): { taps: number; from: Int32Array; weights: Float32Array } {
  const scale = from / to;
  const stretch = Math.max(1, scale);
  const support = 2 * stretch;
  const taps = Math.ceil(support * 2) + 1;
  const positions = new Int32Array(to * taps);
  const weights = new Float32Array(to * taps);
  for (let i = 0; i < to; i++) {
    const center = (i + 0.5) * scale - 0.5;
    const first = Math.ceil(center - support);
    let total = 0;
    for (let k = 0; k < taps; k++) {
      const weight = cubic((first + k - center) / stretch);
      positions[i * taps + k] = Math.min(from - 1, Math.max(0, first + k));
      weights[i * taps + k] = weight;
      total += weight;
    }
    for (let k = 0; k < taps; k++) weights[i * taps + k]! /= total;
  }
  return { taps, from: positions, weights };
}

function cubic(distance: number): number {
  const x = Math.abs(distance);
  if (x < 1) return 1.5 * x * x * x - 2.5 * x * x + 1;
  return x < 2 ? -0.5 * x * x * x + 2.5 * x * x - 4 * x + 2 : 0;
}
