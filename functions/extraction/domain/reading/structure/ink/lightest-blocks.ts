import type { Raster } from '../../raster.ts';

/** The lightest pixel of every square block of `size` pixels: the paper, if the block contains any. */
export function lightestBlocks({ width, height, pixels }: Raster, size: number): Raster {
  const columns = Math.ceil(width / size);
  const rows = Math.ceil(height / size);
  const lightest = new Uint8Array(columns * rows);
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / size) * columns;
    for (let column = 0; column < columns; column++) {
      const end = y * width + Math.min(width, (column + 1) * size);
      let most = lightest[row + column]!;
      for (let i = y * width + column * size; i < end; i++) if (pixels[i]! > most) most = pixels[i]!;
      lightest[row + column] = most;
    }
  }
  return { width: columns, height: rows, pixels: lightest };
}
