import type { Raster } from '../../raster.ts';

/**
 * A gray closing: without darker structures that are thinner than the window of 2 × `across` + 1 pixels along the rows, or of 2 × `down` + 1 pixels
 * down the columns.
 */
export function closing({ width, height, pixels }: Raster, across: number, down: number): Raster {
  const lighter = slide(slide(pixels, width, height, across, true), height, width, down, true);
  const closed = slide(slide(lighter, width, height, across, false), height, width, down, false);
  return { width, height, pixels: closed };
}

/** Running extreme along the rows by van Herk's blocks; the result is transposed, so that two calls do both directions. */
function slide(source: Uint8Array, width: number, height: number, radius: number, lightest: boolean): Uint8Array {
  const out = new Uint8Array(source.length);
  const window = 2 * radius + 1;
  const size = width + 2 * radius;
  const padded = new Uint8Array(size);
  const ahead = new Uint8Array(size);
  const behind = new Uint8Array(size);
  // Complementing turns a running minimum into a running maximum.
  const flip = lightest ? 0 : 255;
  for (let y = 0; y < height; y++) {
    padded.fill(source[y * width]! ^ flip, 0, radius);
    for (let x = 0; x < width; x++) padded[radius + x] = source[y * width + x]! ^ flip;
    padded.fill(source[(y + 1) * width - 1]! ^ flip, radius + width);
    for (let start = 0; start < size; start += window) {
      const end = Math.min(size, start + window);
      let most = 0;
      for (let i = start; i < end; i++) {
        if (padded[i]! > most) most = padded[i]!;
        ahead[i] = most;
      }
      most = 0;
      for (let i = end - 1; i >= start; i--) {
        if (padded[i]! > most) most = padded[i]!;
        behind[i] = most;
      }
    }
    for (let x = 0; x < width; x++) {
      const most = behind[x]! > ahead[x + window - 1]! ? behind[x]! : ahead[x + window - 1]!;
      out[x * height + y] = most ^ flip;
    }
  }
  return out;
}
