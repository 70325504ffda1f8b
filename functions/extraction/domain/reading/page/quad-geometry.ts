import type { Point, Quad } from '../geometry.ts';

export function quadArea(quad: Quad): number {
  let sum = 0;
  for (let i = 0; i < 4; i++) {
    const a = quad[i]!;
    const b = quad[(i + 1) % 4]!;
    sum += a.x * b.y - b.x * a.y;
  }
  return sum / 2;
}

export function isConvex(quad: Quad): boolean {
  return quad.every((point, i) => {
    const next = quad[(i + 1) % 4]!;
    const after = quad[(i + 2) % 4]!;
    return (next.x - point.x) * (after.y - next.y) - (next.y - point.y) * (after.x - next.x) > 0;
  });
}

/** Whether the side taken for the top is above the bottom, and the left one left of the right. */
export function isUpright([a, b, c, d]: Quad): boolean {
  return a.y < d.y && b.y < c.y && a.x < b.x && d.x < c.x;
}

/** The longer side to the shorter one, by the mean of those across from each other. */
export function aspectOf([a, b, c, d]: Quad): number {
  const length = (from: Point, to: Point) => Math.hypot(to.x - from.x, to.y - from.y);
  const [width, height] = [length(a, b) + length(d, c), length(b, c) + length(a, d)];
  return Math.max(width, height) / Math.min(width, height);
}

/** Of two ends of a side, pixels across it. */
const LEVEL = 0.5;

/** How many sides run along the picture's rows or columns, as those of a window do; of two opposite ones, a camera sees no sheet so. */
export function levelSides([a, b, c, d]: Quad): { readonly count: number; readonly areOpposite: boolean } {
  const isLevel = (from: number, to: number) => Math.abs(from - to) < LEVEL;
  const [top, right, bottom, left] = [isLevel(a.y, b.y), isLevel(b.x, c.x), isLevel(d.y, c.y), isLevel(a.x, d.x)];
  const count = [top, right, bottom, left].filter(Boolean).length;
  return { count, areOpposite: (top && bottom) || (left && right) };
}

export interface Segment {
  readonly from: Point;
  readonly to: Point;
}

/** Where the lines through two segments cross. */
export function intersect(a: Segment, b: Segment): Point {
  const ax = a.to.x - a.from.x;
  const ay = a.to.y - a.from.y;
  const bx = b.to.x - b.from.x;
  const by = b.to.y - b.from.y;
  const t = ((b.from.x - a.from.x) * by - (b.from.y - a.from.y) * bx) / (ax * by - ay * bx);
  return { x: a.from.x + ax * t, y: a.from.y + ay * t };
}
