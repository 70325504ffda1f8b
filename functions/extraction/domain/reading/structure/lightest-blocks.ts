import type { Raster } from '../raster.ts';

/** The lightest pixel of every square block of `size` pixels: the paper, wherever a block holds any. */
export function lightestBlocks({ width, height, pixels }: Raster, size: number): Raster {
  const columns = Math.ceil(width / size);
  const rows = Math.ceil(height / size);
  const lightest = new Uint8Array(columns * rows);
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / size) * columns;
    for (let x = 0; x < width; x++) {
      const block = row + Math.floor(x / size);
      const value = pixels[y * width + x]!;
      if (value > lightest[block]!) lightest[block] = value;
    }
  }
  return { width: columns, height: rows, pixels: lightest };
}
