import type { Raster } from '../raster.ts';
import { transpose } from '../transpose.ts';
import { type Ink, paperNoise } from './ink.ts';
import type { EvenPage } from './normalise-illumination.ts';

/** What is thin in one direction: where ruled lines of the other direction are, and strokes of letters. */
export interface TopHatInk {
  /** Thin from top to bottom. */
  readonly horizontal: Ink;
  /** Thin from left to right. */
  readonly vertical: Ink;
  /** The same and the page itself with rows and columns exchanged. */
  readonly transposed: { readonly page: Raster; readonly horizontal: Ink; readonly vertical: Ink };
}

/**
 * Ink that is thinner than `reach` pixels, however faint: darker than what surrounds it by more than the paper's noise. Fills
 * are no such ink, and a rule at the edge of a fill is. (A black top-hat in either direction, and a threshold.)
 */
export function blackTopHat(flat: EvenPage, reach: number): TopHatInk {
  const { width, height, pixels } = flat;
  const contrast = Math.max(12, 3.4 * paperNoise(flat));
  const radius = Math.max(2, Math.round(reach / 2));
  const turned = { width: height, height: width };
  const page = { ...turned, pixels: transpose(pixels, width, height) };
  const horizontal = thinAlongRows(page.pixels, height, width, radius, contrast);
  const vertical = thinAlongRows(pixels, width, height, radius, contrast);
  return {
    horizontal: { width, height, bits: transpose(horizontal, height, width) },
    vertical: { width, height, bits: vertical },
    transposed: {
      page,
      horizontal: { ...turned, bits: horizontal },
      vertical: { ...turned, bits: transpose(vertical, width, height) },
    },
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
  const around = 2 * radius;
  const padded = new Uint8Array(width + 2 * around);
  const lightest = new Uint8Array(width + around);
  const closed = new Uint8Array(width);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    padded.fill(pixels[row]!, 0, around);
    padded.set(pixels.subarray(row, row + width), around);
    padded.fill(pixels[row + width - 1]!, around + width);
    // No paper is lighter than white: only what is darker than that by the contrast is looked at, with what surrounds it.
    for (let from = 0; from < width; from++) {
      if (255 - padded[around + from]! <= contrast) continue;
      let end = from + 1;
      for (let x = end; x < width && x < end + around; x++) if (255 - padded[around + x]! > contrast) end = x + 1;
      slide(padded, lightest, window, 0, from, end + around);
      slide(lightest, closed, window, 255, from, end);
      for (let x = from; x < end; x++) if (closed[x]! - padded[around + x]! > contrast) out[row + x] = 1;
      from = end;
    }
  }
  return out;
}

/** Largest value in the window that begins at each place; with `flip` 255 the smallest. The window is short: no cleverer way pays. */
function slide(from: Uint8Array, to: Uint8Array, window: number, flip: number, first: number, last: number): void {
  let best = 0;
  let bestAt = -1;
  for (let i = first; i < last; i++) {
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
