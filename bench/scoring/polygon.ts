import type { Point } from '../../functions/extraction/domain/reading/geometry.ts';

/** Intersection over union of two convex polygons given in the same sense of rotation; 0 when one has no area. */
export function intersectionOverUnion(a: readonly Point[], b: readonly Point[]): number {
  const common = area(clip(clockwise(a), clockwise(b)));
  const union = area(a) + area(b) - common;
  return union > 0 ? common / union : 0;
}

/** The part of `polygon` inside of the convex `window` (Sutherland and Hodgman). */
export function clip(polygon: readonly Point[], window: readonly Point[]): readonly Point[] {
  let result = polygon;
  window.forEach((from, i) => {
    const to = window[(i + 1) % window.length]!;
    const side = ({ x, y }: Point) => (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x);
    const kept: Point[] = [];
    result.forEach((point, k) => {
      const next = result[(k + 1) % result.length]!;
      const [s, t] = [side(point), side(next)];
      if (s >= 0) kept.push(point);
      if (s * t < 0)
        kept.push({ x: point.x + ((next.x - point.x) * s) / (s - t), y: point.y + ((next.y - point.y) * s) / (s - t) });
    });
    result = kept;
  });
  return result;
}

function clockwise(polygon: readonly Point[]): readonly Point[] {
  return signedArea(polygon) >= 0 ? polygon : [...polygon].reverse();
}

function area(polygon: readonly Point[]): number {
  return Math.abs(signedArea(polygon));
}

/** Positive for corners that run clockwise on a screen, where y points down. */
function signedArea(polygon: readonly Point[]): number {
  return (
    polygon.reduce((sum, { x, y }, i) => {
      const next = polygon[(i + 1) % polygon.length]!;
      return sum + x * next.y - next.x * y;
    }, 0) / 2
  );
}
