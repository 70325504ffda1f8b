import type { Point, Quad } from '../geometry.ts';

/** Row-major 3 × 3 projective map. */
export type Homography = readonly [number, number, number, number, number, number, number, number, number];

export function project(map: Homography, { x, y }: Point): Point {
  const w = map[6] * x + map[7] * y + map[8];
  return { x: (map[0] * x + map[1] * y + map[2]) / w, y: (map[3] * x + map[4] * y + map[5]) / w };
}

/** The map that takes a rectangle `width` × `height` onto a quad, corner by corner (Heckbert's closed form). */
export function rectangleToQuad(width: number, height: number, [a, b, c, d]: Quad): Homography {
  const sumX = a.x - b.x + c.x - d.x;
  const sumY = a.y - b.y + c.y - d.y;
  const bx = b.x - c.x;
  const dx = d.x - c.x;
  const by = b.y - c.y;
  const dy = d.y - c.y;
  const determinant = bx * dy - dx * by;
  const g = (sumX * dy - dx * sumY) / determinant;
  const h = (bx * sumY - sumX * by) / determinant;
  return [
    (b.x - a.x + g * b.x) / width,
    (d.x - a.x + h * d.x) / height,
    a.x,
    (b.y - a.y + g * b.y) / width,
    (d.y - a.y + h * d.y) / height,
    a.y,
    g / width,
    h / height,
    1,
  ];
}
