import type { Quad } from '../geometry.ts';
import type { Raster } from '../raster.ts';
import { rectangleToQuad } from './homography.ts';

/** Pulls the part of an image inside a quad straight, to `width` × `height`; places outside of the image are white. */
export function warpQuad(source: Raster, quad: Quad, width: number, height: number): Raster {
  const [a, b, c, d, e, f, g, h] = rectangleToQuad(width, height, quad);
  const pixels = new Uint8Array(width * height).fill(255);
  const { pixels: from, marks: marksFrom, width: stride } = source;
  const marks = marksFrom && new Uint8Array(width * height);
  const lastX = source.width - 1;
  const lastY = source.height - 1;
  const right = lastX > 0 ? 1 : 0;
  const down = lastY > 0 ? 1 : 0;
  const below = down * stride;
  for (let y = 0; y < height; y++) {
    const v = y + 0.5;
    for (let x = 0; x < width; x++) {
      const u = x + 0.5;
      const w = g * u + h * v + 1;
      const sx = (a * u + b * v + c) / w - 0.5;
      const sy = (d * u + e * v + f) / w - 0.5;
      if (sx < -0.5 || sy < -0.5 || sx > lastX + 0.5 || sy > lastY + 0.5) continue;
      // Towards zero: half a pixel beyond the edge is the edge.
      const x0 = sx >= lastX ? lastX - right : sx | 0;
      const y0 = sy >= lastY ? lastY - down : sy | 0;
      const fx = sx < x0 ? 0 : sx > x0 + 1 ? 1 : sx - x0;
      const fy = sy < y0 ? 0 : sy > y0 + 1 ? 1 : sy - y0;
      const at = y0 * stride + x0;
      const top = from[at]! * (1 - fx) + from[at + right]! * fx;
      const bottom = from[at + below]! * (1 - fx) + from[at + below + right]! * fx;
      pixels[y * width + x] = top * (1 - fy) + bottom * fy + 0.5;
      if (marks) marks[y * width + x] = marksFrom[at]!;
    }
  }
  return { width, height, pixels, ...(marks && { marks }) };
}
