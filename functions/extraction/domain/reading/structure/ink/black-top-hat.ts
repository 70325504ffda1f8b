import type { Raster } from '../../raster.ts';
import { transpose } from '../../transpose.ts';
import { type Ink, paperNoise } from './ink.ts';
import type { EvenPage } from './normalise-illumination.ts';

/** Ink that is thin in one direction: ruled lines of the other direction, and strokes of letters. */
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
  const contrast = Math.floor(Math.max(12, 3.4 * paperNoise(flat)));
  const breadth = 2 * Math.max(2, Math.round(reach / 2));
  const turned = { width: height, height: width };
  const page = { ...turned, pixels: transpose(pixels, width, height) };
  const horizontal = thinAlongRows(page.pixels, height, breadth, contrast);
  const vertical = thinAlongRows(pixels, width, breadth, contrast);
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

/**
 * 1 for every pixel whose surroundings of similar lightness (up to `contrast` lighter) extend along its row over at most `breadth`
 * pixels: a closing over more pixels makes it lighter by more than the contrast. Beyond the edge, the paper of the edge is repeated.
 */
function thinAlongRows(pixels: Uint8Array, width: number, breadth: number, contrast: number): Uint8Array {
  const out = new Uint8Array(pixels.length);
  for (let row = 0; row < pixels.length; row += width) {
    const end = row + width;
    for (let i = row; i < end; i++) {
      const limit = pixels[i]! + contrast;
      // No paper is lighter than white.
      if (limit >= 255) continue;
      let before = i - 1;
      while (before >= row && i - before <= breadth && pixels[before]! <= limit) before--;
      let after = i + 1;
      while (after < end && after - before <= breadth + 1 && pixels[after]! <= limit) after++;
      if (before >= row && after < end && after - before <= breadth + 1) out[i] = 1;
    }
  }
  return out;
}
