import type { Quad } from '../geometry.ts';
import type { Raster } from '../raster.ts';
import { rectangleToQuad } from './homography.ts';

/** Pulls the part of an image inside a quad straight, to `width` × `height`; what lies outside of the image is white. */
export function warpQuad(source: Raster, quad: Quad, width: number, height: number): Raster {
  const [a, b, c, d, e, f, g, h] = rectangleToQuad(width, height, quad);
  const pixels = new Uint8Array(width * height).fill(255);
  const lastX = source.width - 1;
  const lastY = source.height - 1;
  for (let y = 0; y < height; y++) {
    const v = y + 0.5;
    for (let x = 0; x < width; x++) {
      const u = x + 0.5;
      const w = g * u + h * v + 1;
      const sx = (a * u + b * v + c) / w - 0.5;
      const sy = (d * u + e * v + f) / w - 0.5;
      if (sx < -0.5 || sy < -0.5 || sx > lastX + 0.5 || sy > lastY + 0.5) continue;
      const x0 = sx < 0 ? 0 : sx >= lastX ? Math.max(0, lastX - 1) : Math.floor(sx);
      const y0 = sy < 0 ? 0 : sy >= lastY ? Math.max(0, lastY - 1) : Math.floor(sy);
      const fx = Math.min(1, Math.max(0, sx - x0));
      const fy = Math.min(1, Math.max(0, sy - y0));
      const at = y0 * source.width + x0;
      const right = lastX > 0 ? 1 : 0;
      const below = lastY > 0 ? source.width : 0;
      const top = source.pixels[at]! * (1 - fx) + source.pixels[at + right]! * fx;
      const bottom = source.pixels[at + below]! * (1 - fx) + source.pixels[at + below + right]! * fx;
      pixels[y * width + x] = top * (1 - fy) + bottom * fy + 0.5;
    }
  }
  return { width, height, pixels };
}
