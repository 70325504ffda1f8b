import type { Point, Quad } from '../truth.ts';

/** 3 × 3, row-major; maps (x, y, 1) and divides by the third component. */
export type Homography = readonly number[];

export const IDENTITY: Homography = [1, 0, 0, 0, 1, 0, 0, 0, 1];

export function apply(h: Homography, { x, y }: Point): Point {
  const w = h[6]! * x + h[7]! * y + h[8]!;
  return { x: (h[0]! * x + h[1]! * y + h[2]!) / w, y: (h[3]! * x + h[4]! * y + h[5]!) / w };
}

/** First `inner`, then `outer`. */
export function compose(outer: Homography, inner: Homography): Homography {
  const cell = (row: number, column: number) =>
    [0, 1, 2].reduce((sum, k) => sum + outer[3 * row + k]! * inner[3 * k + column]!, 0);
  return normalised([0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => cell(row, column))));
}

export function inverse(h: Homography): Homography {
  const [a, b, c, d, e, f, g, i, j] = h as [number, number, number, number, number, number, number, number, number];
  const adjugate = [
    e * j - f * i,
    c * i - b * j,
    b * f - c * e,
    f * g - d * j,
    a * j - c * g,
    c * d - a * f,
    d * i - e * g,
    b * g - a * i,
    a * e - b * d,
  ];
  return normalised(adjugate);
}

/** Maps a page of this size onto four corners, clockwise from the top left. */
export function ontoQuad(width: number, height: number, quad: Quad): Homography {
  // The unit square onto a quad in closed form (Heckbert), after scaling the page to the unit square.
  const [p0, p1, p2, p3] = quad;
  const dx1 = p1.x - p2.x;
  const dx2 = p3.x - p2.x;
  const dx3 = p0.x - p1.x + p2.x - p3.x;
  const dy1 = p1.y - p2.y;
  const dy2 = p3.y - p2.y;
  const dy3 = p0.y - p1.y + p2.y - p3.y;
  const determinant = dx1 * dy2 - dx2 * dy1;
  const g = (dx3 * dy2 - dx2 * dy3) / determinant;
  const h = (dx1 * dy3 - dx3 * dy1) / determinant;
  const square: Homography = [
    p1.x - p0.x + g * p1.x,
    p3.x - p0.x + h * p3.x,
    p0.x,
    p1.y - p0.y + g * p1.y,
    p3.y - p0.y + h * p3.y,
    p0.y,
    g,
    h,
    1,
  ];
  return compose(square, [1 / width, 0, 0, 0, 1 / height, 0, 0, 0, 1]);
}

/** The homography of a clockwise quarter turn of an image of this size. */
export function quarterTurn(clockwise: number, width: number, height: number): Homography {
  switch (((clockwise % 360) + 360) % 360) {
    case 90:
      return [0, -1, height, 1, 0, 0, 0, 0, 1];
    case 180:
      return [-1, 0, width, 0, -1, height, 0, 0, 1];
    case 270:
      return [0, 1, 0, -1, 0, width, 0, 0, 1];
    default:
      return IDENTITY;
  }
}

function normalised(h: readonly number[]): Homography {
  return h.map((value) => value / h[8]!);
}
