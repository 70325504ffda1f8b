import type { Raster } from '../raster.ts';

/** Shrinks by a whole factor, averaging: for measurements that need no detail. */
export function shrink(source: Raster, factor: number): Raster {
  if (factor <= 1) return source;
  const width = Math.max(1, Math.floor(source.width / factor));
  const height = Math.max(1, Math.floor(source.height / factor));
  const pixels = new Uint8Array(width * height);
  const { pixels: from } = source;
  const area = factor * factor;
  // Row by row, as they are in memory.
  const sums = new Uint32Array(width);
  for (let y = 0; y < height; y++) {
    sums.fill(0);
    for (let dy = 0; dy < factor; dy++) {
      const row = Math.min(source.height - 1, y * factor + dy) * source.width;
      const last = row + source.width - 1;
      for (let x = 0, i = row; x < width; x++) {
        const end = i + factor;
        let sum = 0;
        for (; i < end; i++) sum += from[i < last ? i : last]!;
        sums[x]! += sum;
      }
    }
    for (let x = 0; x < width; x++) pixels[y * width + x] = sums[x]! / area;
  }
  return { width, height, pixels };
}
