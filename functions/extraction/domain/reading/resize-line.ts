import type { Raster } from './raster.ts';

/** Scales to `height` pixels, keeping the aspect: cubic where it grows, averaging where it shrinks. */
export function resizeToHeight(source: Raster, height: number): Raster {
  const width = Math.max(1, Math.round((source.width * height) / source.height));
  const columns = resampler(source.width, width);
  const rows = resampler(source.height, height);
  const between = new Float32Array(source.height * width);
  for (let y = 0; y < source.height; y++)
    for (let x = 0; x < width; x++) {
      let sum = 0;
      const first = columns.first[x]!;
      for (let k = 0; k < columns.taps; k++)
        sum +=
          columns.weights[x * columns.taps + k]! * source.pixels[y * source.width + clamp(first + k, source.width)]!;
      between[y * width + x] = sum;
    }
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let sum = 0;
      const first = rows.first[y]!;
      for (let k = 0; k < rows.taps; k++)
        sum += rows.weights[y * rows.taps + k]! * between[clamp(first + k, source.height) * width + x]!;
      pixels[y * width + x] = sum < 0 ? 0 : sum > 255 ? 255 : sum + 0.5;
    }
  return { width, height, pixels };
}

function clamp(index: number, size: number): number {
  return index < 0 ? 0 : index >= size ? size - 1 : index;
}

/** Catmull-Rom taps of every output position; stretched by the factor when shrinking. */
function resampler(from: number, to: number): { taps: number; first: Int32Array; weights: Float32Array } {
  const scale = from / to;
  const stretch = Math.max(1, scale);
  const support = 2 * stretch;
  const taps = Math.ceil(support * 2) + 1;
  const first = new Int32Array(to);
  const weights = new Float32Array(to * taps);
  for (let i = 0; i < to; i++) {
    const center = (i + 0.5) * scale - 0.5;
    first[i] = Math.ceil(center - support);
    let total = 0;
    for (let k = 0; k < taps; k++) {
      const weight = cubic((first[i]! + k - center) / stretch);
      weights[i * taps + k] = weight;
      total += weight;
    }
    for (let k = 0; k < taps; k++) weights[i * taps + k]! /= total;
  }
  return { taps, first, weights };
}

function cubic(distance: number): number {
  const x = Math.abs(distance);
  if (x < 1) return 1.5 * x * x * x - 2.5 * x * x + 1;
  return x < 2 ? -0.5 * x * x * x + 2.5 * x * x - 4 * x + 2 : 0;
}
