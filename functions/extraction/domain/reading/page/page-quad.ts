import type { Point, Quad } from '../geometry.ts';
import type { Raster } from '../raster.ts';
import { shrink } from './shrink.ts';

/** A sheet of paper found in a picture. `score` is 0 to 1: how much of its outline can be seen. */
export interface FoundQuad {
  readonly corners: Quad;
  readonly score: number;
}

/** Longer side of the picture in which the outline is looked for. */
const WORKING_SIDE = 420;
const MAX_SLOPE = 0.4;
const SLOPE_STEP = 0.01;
const CANDIDATES = 7;
/** Gray levels between paper and ground, across two working pixels. */
const MIN_EDGE = 7;
/** Beyond the breadth of a ruled line and its blur, in working pixels. */
const FURTHER = 5;
/** Gray levels between the paper and the ground around it. */
const MIN_STEP = 12;
const MIN_SCORE = 0.8;
const MIN_AREA = 0.16;
/** A side that the picture cuts off is taken from the picture's border; it counts as half seen. */
const BORDER_SUPPORT = 0.5;

/** A side of the sheet: `at + slope · position`, along x for top and bottom, along y for left and right. */
interface Side {
  readonly at: number;
  readonly slope: number;
  readonly border: boolean;
}

/**
 * Looks for a sheet that is lighter than the ground it lies on: strong straight edges with the paper on their inner side,
 * combined to the quad whose outline is best supported. Null when the picture shows no such outline (screens, scans).
 */
export function findPageQuad(picture: Raster): FoundQuad | null {
  const factor = Math.max(1, Math.round(Math.max(picture.width, picture.height) / WORKING_SIDE));
  const small = blur(shrink(picture, factor));
  const { gx, gy } = gradients(small);
  const turned = { width: small.height, height: small.width };
  const gxTurned = transpose(gx, small.width, small.height);
  const gyTurned = transpose(gy, small.width, small.height);
  const sides = {
    top: candidates(gy, gx, small, 1),
    bottom: candidates(gy, gx, small, -1),
    left: candidates(gxTurned, gyTurned, turned, 1),
    right: candidates(gxTurned, gyTurned, turned, -1),
  };
  let best: { quad: Quad; sides: readonly Side[]; score: number; rank: number } | null = null;
  for (const top of sides.top)
    for (const bottom of sides.bottom)
      for (const left of sides.left)
        for (const right of sides.right) {
          const all = [top, right, bottom, left];
          if (all.filter(({ border }) => border).length > 1) continue;
          const quad: Quad = [
            crossing(top, left),
            crossing(top, right),
            crossing(bottom, right),
            crossing(bottom, left),
          ];
          const area = quadArea(quad) / (small.width * small.height);
          if (!(area >= MIN_AREA) || !isConvex(quad) || !isUpright(quad)) continue;
          const support = [
            top.border ? BORDER_SUPPORT : supportOf(small, gy, quad[0], quad[1], 0, 1),
            right.border ? BORDER_SUPPORT : supportOf(small, gx, quad[1], quad[2], -1, 0),
            bottom.border ? BORDER_SUPPORT : supportOf(small, gy, quad[3], quad[2], 0, -1),
            left.border ? BORDER_SUPPORT : supportOf(small, gx, quad[0], quad[3], 1, 0),
          ];
          const score = 0.5 * Math.min(...support) + 0.125 * support.reduce((sum, value) => sum + value, 0);
          const rank = score + 0.15 * Math.min(1, area);
          if (!best || rank > best.rank) best = { quad, sides: all, score, rank };
        }
  if (!best || best.score < MIN_SCORE) return null;
  const refined = refine(picture, best.quad, best.sides, factor);
  return { corners: refined, score: Math.min(1, best.score) };
}

function blur({ width, height, pixels }: Raster): Raster {
  const out = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let dy = -1; dy <= 1; dy++)
        for (let dx = -1; dx <= 1; dx++) {
          const sy = Math.min(height - 1, Math.max(0, y + dy));
          const sx = Math.min(width - 1, Math.max(0, x + dx));
          sum += pixels[sy * width + sx]! * (2 - Math.abs(dx)) * (2 - Math.abs(dy));
        }
      out[y * width + x] = sum / 16;
    }
  return { width, height, pixels: out };
}

/** Differences across two pixels. */
function gradients({ width, height, pixels }: Raster): { gx: Int16Array; gy: Int16Array } {
  const gx = new Int16Array(pixels.length);
  const gy = new Int16Array(pixels.length);
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      gx[at] = pixels[at + 1]! - pixels[at - 1]!;
      gy[at] = pixels[at + width]! - pixels[at - width]!;
    }
  return { gx, gy };
}

function transpose(values: Int16Array, width: number, height: number): Int16Array {
  const out = new Int16Array(values.length);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) out[x * height + y] = values[y * width + x]!;
  return out;
}

/** The strongest near-horizontal lines across which the picture grows lighter (polarity 1) or darker (-1). */
function candidates(
  across: Int16Array,
  along: Int16Array,
  { width, height }: { width: number; height: number },
  polarity: 1 | -1,
): readonly Side[] {
  const slopes = Math.round((2 * MAX_SLOPE) / SLOPE_STEP) + 1;
  const margin = Math.ceil((MAX_SLOPE * width) / 2);
  const offsets = height + 2 * margin;
  const votes = new Float32Array(slopes * offsets);
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const strength = across[y * width + x]! * polarity;
      if (strength < MIN_EDGE || strength < Math.abs(along[y * width + x]!) * 0.9) continue;
      const weight = Math.min(strength, 40);
      for (let s = 0; s < slopes; s++) {
        const offset = Math.round(y - (s * SLOPE_STEP - MAX_SLOPE) * (x - width / 2)) + margin;
        if (offset >= 0 && offset < offsets) votes[s * offsets + offset]! += weight;
      }
    }
  const found: Side[] = [];
  for (let n = 0; n < CANDIDATES; n++) {
    let peak = 0;
    let at = -1;
    for (let i = 0; i < votes.length; i++)
      if (votes[i]! > peak) {
        peak = votes[i]!;
        at = i;
      }
    if (at < 0 || peak < 0.12 * width * MIN_EDGE) break;
    const s = Math.floor(at / offsets);
    const slope = s * SLOPE_STEP - MAX_SLOPE;
    const middle = (at % offsets) - margin;
    found.push({ at: middle - (slope * width) / 2, slope, border: false });
    for (let ds = -6; ds <= 6; ds++)
      for (let dOffset = -5; dOffset <= 5; dOffset++) {
        const near = s + ds;
        const offset = (at % offsets) + dOffset;
        if (near >= 0 && near < slopes && offset >= 0 && offset < offsets) votes[near * offsets + offset] = 0;
      }
  }
  found.push({ at: polarity === 1 ? 0 : height, slope: 0, border: true });
  return found;
}

function crossing(row: Side, column: Side): Point {
  const x = (column.at + column.slope * row.at) / (1 - column.slope * row.slope);
  return { x, y: row.at + row.slope * x };
}

/**
 * Part of a side along which the edge is there, with the paper on the inner side. A ruled line has such an edge too, but
 * the same paper on both sides: a little further out it must be as dark as the ground.
 */
function supportOf(
  { width, height, pixels }: Raster,
  gradient: Int16Array,
  from: Point,
  to: Point,
  inwardX: number,
  inwardY: number,
): number {
  const samples = 48;
  let seen = 0;
  let counted = 0;
  for (let i = 0; i < samples; i++) {
    const t = (i + 0.5) / samples;
    const x = Math.round(from.x + (to.x - from.x) * t);
    const y = Math.round(from.y + (to.y - from.y) * t);
    const at = y * width + x;
    const reach = at + FURTHER * (inwardY * width + inwardX);
    const outward = at - FURTHER * (inwardY * width + inwardX);
    if (x < FURTHER || y < FURTHER || x >= width - FURTHER || y >= height - FURTHER) continue;
    counted++;
    if (pixels[reach]! - pixels[outward]! < MIN_STEP) continue;
    for (let step = -2; step <= 2; step++)
      if (gradient[at + step * (inwardY * width + inwardX)]! * (inwardX + inwardY) >= MIN_EDGE) {
        seen++;
        break;
      }
  }
  return counted < samples * 0.3 ? 0 : seen / counted;
}

export function quadArea(quad: Quad): number {
  let sum = 0;
  for (let i = 0; i < 4; i++) {
    const a = quad[i]!;
    const b = quad[(i + 1) % 4]!;
    sum += a.x * b.y - b.x * a.y;
  }
  return sum / 2;
}

function isConvex(quad: Quad): boolean {
  return quad.every((point, i) => {
    const next = quad[(i + 1) % 4]!;
    const after = quad[(i + 2) % 4]!;
    return (next.x - point.x) * (after.y - next.y) - (next.y - point.y) * (after.x - next.x) > 0;
  });
}

/** Whether the side taken for the top lies above the bottom, and the left one left of the right. */
function isUpright([a, b, c, d]: Quad): boolean {
  return a.y < d.y && b.y < c.y && a.x < b.x && d.x < c.x;
}

/** Moves every side onto the strongest edge near it in the full picture. */
function refine(picture: Raster, quad: Quad, sides: readonly Side[], factor: number): Quad {
  const scaled = quad.map(({ x, y }) => ({ x: (x + 0.5) * factor, y: (y + 0.5) * factor }));
  const lines = sides.map((side, index) => {
    const from = scaled[index]!;
    const to = scaled[(index + 1) % 4]!;
    return side.border ? { from, to } : refineSide(picture, from, to, factor * 2.5);
  });
  const corner = (a: number, b: number) => intersect(lines[a]!, lines[b]!);
  return [corner(3, 0), corner(0, 1), corner(1, 2), corner(2, 3)];
}

interface Segment {
  readonly from: Point;
  readonly to: Point;
}

function refineSide(picture: Raster, from: Point, to: Point, reach: number): Segment {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  // Clockwise outline: the inner side lies to the right of the walking direction.
  const normal = { x: -(to.y - from.y) / length, y: (to.x - from.x) / length };
  const points: { t: number; offset: number }[] = [];
  const step = Math.max(1, Math.round(reach / 6));
  for (let i = 2; i < 62; i++) {
    const t = i / 64;
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

/** Least squares, then again without the half that fits worst. */
function robustLine(points: readonly { t: number; offset: number }[]): { offset: number; slope: number } {
  let kept = points;
  let line = { offset: 0, slope: 0 };
  for (let round = 0; round < 3 && kept.length >= 8; round++) {
    const n = kept.length;
    const meanT = kept.reduce((sum, { t }) => sum + t, 0) / n;
    const meanOffset = kept.reduce((sum, { offset }) => sum + offset, 0) / n;
    const spread = kept.reduce((sum, { t }) => sum + (t - meanT) ** 2, 0);
    const slope =
      spread > 0 ? kept.reduce((sum, { t, offset }) => sum + (t - meanT) * (offset - meanOffset), 0) / spread : 0;
    line = { slope, offset: meanOffset - slope * meanT };
    const error = ({ t, offset }: { t: number; offset: number }) => Math.abs(offset - line.offset - line.slope * t);
    const sorted = [...points].sort((a, b) => error(a) - error(b));
    kept = sorted.slice(0, Math.max(8, Math.floor(points.length * 0.6)));
  }
  return line;
}

function sample({ width, height, pixels }: Raster, x: number, y: number): number {
  const sx = Math.min(width - 1, Math.max(0, Math.round(x - 0.5)));
  const sy = Math.min(height - 1, Math.max(0, Math.round(y - 0.5)));
  return pixels[sy * width + sx]!;
}

function intersect(a: Segment, b: Segment): Point {
  const ax = a.to.x - a.from.x;
  const ay = a.to.y - a.from.y;
  const bx = b.to.x - b.from.x;
  const by = b.to.y - b.from.y;
  const t = ((b.from.x - a.from.x) * by - (b.from.y - a.from.y) * bx) / (ax * by - ay * bx);
  return { x: a.from.x + ax * t, y: a.from.y + ay * t };
}
