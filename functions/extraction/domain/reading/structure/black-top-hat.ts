import type { Raster } from '../raster.ts';
import { type Ink, paperNoise } from './ink.ts';

/** What is thin in one direction: where ruled lines of the other direction are, and strokes of letters. */
export interface TopHatInk {
  /** Thin from top to bottom. */
  readonly horizontal: Ink;
  /** Thin from left to right. */
  readonly vertical: Ink;
}

/**
 * Ink that is thinner than `reach` pixels, however faint: darker than what surrounds it by more than the paper's noise. Fills
 * are no such ink, and a rule at the edge of a fill is. (A black top-hat in either direction, and a threshold.)
 */
export function blackTopHat(flat: Raster, reach: number): TopHatInk {
  const contrast = Math.max(12, 3.4 * paperNoise(flat));
  const radius = Math.max(2, Math.round(reach / 2));
  const turned = transpose(flat.pixels, flat.width, flat.height);
  const horizontal = thinAlongRows(turned, flat.height, flat.width, radius, contrast);
  return {
    horizontal: { ...flat, bits: transpose(horizontal, flat.height, flat.width) },
    vertical: { ...flat, bits: thinAlongRows(flat.pixels, flat.width, flat.height, radius, contrast) },
  };
}

function thinAlongRows(
  pixels: Uint8Array,
  width: number,
  height: number,
  radius: number,
  contrast: number,
): Uint8Array {
  const out = new Uint8Array(pixels.length);
  const window = 2 * radius + 1;
  // Twice the radius on either side: the paper beyond the edge is that of the edge.
  const padded = new Uint8Array(width + 4 * radius);
  const lightest = new Uint8Array(width + 2 * radius);
  const closed = new Uint8Array(width);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    padded.fill(pixels[row]!, 0, 2 * radius);
    padded.set(pixels.subarray(row, row + width), 2 * radius);
    padded.fill(pixels[row + width - 1]!, 2 * radius + width);
    slide(padded, lightest, window, 0);
    slide(lightest, closed, window, 255);
    for (let x = 0; x < width; x++) if (closed[x]! - pixels[row + x]! > contrast) out[row + x] = 1;
  }
  return out;
}

/** Largest value in every window; with `flip` 255 the smallest. The window is short: no cleverer way pays. */
function slide(from: Uint8Array, to: Uint8Array, window: number, flip: number): void {
  let best = 0;
  let bestAt = -1;
  for (let i = 0; i < to.length; i++) {
    const end = i + window - 1;
    if (bestAt < i) {
      best = 0;
      for (let k = i; k <= end; k++) {
        const value = from[k]! ^ flip;
        if (value >= best) {
          best = value;
          bestAt = k;
        }
      }
    } else {
      const value = from[end]! ^ flip;
      if (value >= best) {
        best = value;
        bestAt = end;
      }
    }
    to[i] = best ^ flip;
  }
}

export function transpose(bytes: Uint8Array, width: number, height: number): Uint8Array {
  const out = new Uint8Array(bytes.length);
  // In blocks that stay in the cache.
  const block = 32;
  for (let y0 = 0; y0 < height; y0 += block)
    for (let x0 = 0; x0 < width; x0 += block) {
      const y1 = Math.min(height, y0 + block);
      const x1 = Math.min(width, x0 + block);
      for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) out[x * height + y] = bytes[y * width + x]!;
    }
  return out;
}
