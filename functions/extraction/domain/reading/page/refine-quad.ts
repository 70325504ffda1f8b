import type { Point, Quad } from '../geometry.ts';
import type { Raster } from '../raster.ts';
import { MIN_EDGE, type Side } from './hough-lines.ts';
import { intersect, type Segment } from './quad-geometry.ts';

/** In working pixels: how far off the edge may be in the full picture. */
const REACH = 2.5;
/** Part of that reach over which a difference is taken. */
const STEP = 1 / 6;
/** Points along a side, without those at its corners, where another side crosses. */
const SAMPLES = 64;
const CORNER_SAMPLES = 2;
const MIN_POINTS = 8;
const ROUNDS = 3;
const KEPT_SHARE = 0.6;

/** Moves every side onto the strongest edge near it in the full picture. */
export function refineQuad(picture: Raster, quad: Quad, sides: readonly Side[], factor: number): Quad {
  const scaled = quad.map(({ x, y }) => ({ x: (x + 0.5) * factor, y: (y + 0.5) * factor }));
  const lines = sides.map((side, index) => {
    const from = scaled[index]!;
    const to = scaled[(index + 1) % 4]!;
    return side.border ? { from, to } : refineSide(picture, from, to, factor * REACH);
  });
  const corner = (a: number, b: number) => intersect(lines[a]!, lines[b]!);
  return [corner(3, 0), corner(0, 1), corner(1, 2), corner(2, 3)];
}

function refineSide(picture: Raster, from: Point, to: Point, reach: number): Segment {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  // Clockwise outline: the inner side lies to the right of the walking direction.
  const normal = { x: -(to.y - from.y) / length, y: (to.x - from.x) / length };
  const points: { t: number; offset: number }[] = [];
  const step = Math.max(1, Math.round(reach * STEP));
  for (let i = CORNER_SAMPLES; i < SAMPLES - CORNER_SAMPLES; i++) {
    const t = i / SAMPLES;
    const x = from.x + (to.x - from.x) * t;
    const y = from.y + (to.y - from.y) * t;
    let best = 0;
    let offset = 0;
    for (let d = -reach; d <= reach; d++) {
      const rise =
        sample(picture, x + normal.x * (d + step), y + normal.y * (d + step)) -
        sample(picture, x + normal.x * (d - step), y + normal.y * (d - step));
      if (rise > best) {
        best = rise;
        offset = d;
      }
    }
    if (best >= MIN_EDGE) points.push({ t, offset });
  }
  const fit = robustLine(points);
  const at = (t: number) => {
    const offset = fit.offset + fit.slope * t;
    return { x: from.x + (to.x - from.x) * t + normal.x * offset, y: from.y + (to.y - from.y) * t + normal.y * offset };
  };
  return { from: at(0), to: at(1) };
}

/** Trimmed least squares: fitted again without the points that fit worst. */
function robustLine(points: readonly { t: number; offset: number }[]): { offset: number; slope: number } {
  let kept = points;
  let line = { offset: 0, slope: 0 };
  for (let round = 0; round < ROUNDS && kept.length >= MIN_POINTS; round++) {
    const n = kept.length;
    const meanT = kept.reduce((sum, { t }) => sum + t, 0) / n;
    const meanOffset = kept.reduce((sum, { offset }) => sum + offset, 0) / n;
    const spread = kept.reduce((sum, { t }) => sum + (t - meanT) ** 2, 0);
    const slope =
      spread > 0 ? kept.reduce((sum, { t, offset }) => sum + (t - meanT) * (offset - meanOffset), 0) / spread : 0;
    line = { slope, offset: meanOffset - slope * meanT };
    const error = ({ t, offset }: { t: number; offset: number }) => Math.abs(offset - line.offset - line.slope * t);
    const sorted = [...points].sort((a, b) => error(a) - error(b));
    kept = sorted.slice(0, Math.max(MIN_POINTS, Math.floor(points.length * KEPT_SHARE)));
  }
  return line;
}

function sample({ width, height, pixels }: Raster, x: number, y: number): number {
  const sx = Math.min(width - 1, Math.max(0, Math.round(x - 0.5)));
  const sy = Math.min(height - 1, Math.max(0, Math.round(y - 0.5)));
  return pixels[sy * width + sx]!;
}
