import type { Raster } from '../raster.ts';

/** Shrinks by a whole factor, averaging: for measurements that need no detail. */
export function shrink(source: Raster, factor: number): Raster {
  if (factor <= 1) return source;
  const width = Math.max(1, Math.floor(source.width / factor));
  const height = Math.max(1, Math.floor(source.height / factor));
  const pixels = new Uint8Array(width * height);
  const area = factor * factor;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let dy = 0; dy < factor; dy++) {
        const row = Math.min(source.height - 1, y * factor + dy) * source.width;
        for (let dx = 0; dx < factor; dx++) sum += source.pixels[row + Math.min(source.width - 1, x * factor + dx)]!;
      }
      pixels[y * width + x] = sum / area;
    }
  return { width, height, pixels };
}
