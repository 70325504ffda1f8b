import type { Point, Quad } from '../geometry.ts';
import type { Raster } from '../raster.ts';
import {
  blur,
  type Gradients,
  gradients,
  MIN_EDGE,
  type Side,
  strongestLines,
  transposeGradient,
} from './hough-lines.ts';
import { aspectOf, isConvex, isUpright, levelSides, quadArea } from './quad-geometry.ts';
import { refineQuad } from './refine-quad.ts';
import { shrink } from './shrink.ts';

/** A sheet of paper found in a picture. `score` is 0 to 1: how much of its outline can be seen. */
export interface DocumentQuad {
  readonly corners: Quad;
  readonly score: number;
}

/** Longer side of the picture in which the outline is looked for. */
const WORKING_SIDE = 420;
/** Beyond the breadth of a ruled line and its blur, in working pixels. */
const BEYOND = 5;
/** Gray levels between the paper and the ground around it. */
const MIN_STEP = 12;
const MIN_SCORE = 0.8;
/** The score of a sheet whose outline is seen nearly everywhere. */
const WHOLE = 0.95;
/** Parts of the picture's area. */
const MIN_AREA = 0.16;
const AREA_BONUS = 0.15;
/**
 * Ratio of the longer to the shorter side; a longer quad is a band of a form, such as the strip between the sheet's edge and the shaded
 * header of its table.
 */
const MAX_ASPECT = 6;
/** A side that the picture cuts off is taken from the picture's border; it counts as half seen. */
const BORDER_SUPPORT = 0.5;
const MAX_CUT_SIDES = 1;
/** The side that is seen worst counts as much as all four together. */
const WEAKEST_SIDE_WEIGHT = 0.5;
/** Points along a side at which its edge is looked for, how far off it, and the part that must be inside the picture. */
const SAMPLES = 48;
const EDGE_SLACK = 2;
const MIN_INSIDE = 0.3;
/** In working pixels, how wide a shaded band of a form may be; and the part of a side beyond which paper starts again that makes it a band's. */
const BAND = [10, 14, 18, 22];
const MIN_PAPER_BEYOND = 0.6;
/** As parts of a side: how far beyond the next side it is searched, and the visible part there that shows the sheet continues. */
const EXTENSION = 0.3;
const GOES_ON = 0.6;

/**
 * Looks for a sheet that is lighter than the ground it lies on: strong straight edges with the paper on their inner side,
 * combined to the quad whose outline is best supported. Null when the picture shows no such outline (screens, scans), or one that was drawn.
 */
export function detectDocumentQuad(picture: Raster): DocumentQuad | null {
  const factor = Math.max(1, Math.round(Math.max(picture.width, picture.height) / WORKING_SIDE));
  const small = blur(shrink(picture, factor));
  const edges = gradients(small);
  // A form's own rules may be stronger than the sheet's sides, and are left out only then: they are the better measure of where it ends.
  const best = bestQuad(small, edges, edges, MIN_SCORE) ?? bestQuad(small, edges, withoutRules(edges, small), WHOLE);
  if (!best) return null;
  const refined = refineQuad(picture, best.quad, best.sides, factor);
  const score = Math.min(1, best.score);
  return isDrawn(refined, score) ? null : { corners: refined, score };
}

interface Outline {
  readonly quad: Quad;
  readonly sides: readonly Side[];
  readonly score: number;
}

/** @param voting the gradients in which the lines are looked for that may be sides. */
function bestQuad(small: Raster, { gx, gy }: Gradients, voting: Gradients, minScore: number): Outline | null {
  const { width, height } = small;
  const turned = { width: height, height: width };
  const across = transposeGradient(voting.gx, width, height);
  const along = transposeGradient(gy, width, height);
  const sides = {
    top: strongestLines(voting.gy, gx, small, 1),
    bottom: strongestLines(voting.gy, gx, small, -1),
    left: strongestLines(across, along, turned, 1),
    right: strongestLines(across, along, turned, -1),
  };
  let best: (Outline & { readonly rank: number }) | null = null;
  for (const top of sides.top)
    for (const bottom of sides.bottom)
      for (const left of sides.left)
        for (const right of sides.right) {
          const all = [top, right, bottom, left];
          if (all.filter(({ border }) => border).length > MAX_CUT_SIDES) continue;
          const quad: Quad = [
            crossing(top, left),
            crossing(top, right),
            crossing(bottom, right),
            crossing(bottom, left),
          ];
          const area = quadArea(quad) / (width * height);
          if (!(area >= MIN_AREA) || !isConvex(quad) || !isUpright(quad) || aspectOf(quad) > MAX_ASPECT) continue;
          const support = [
            top.border ? BORDER_SUPPORT : edgeSupport(small, gy, quad[0], quad[1], 0, 1),
            right.border ? BORDER_SUPPORT : edgeSupport(small, gx, quad[1], quad[2], -1, 0),
            bottom.border ? BORDER_SUPPORT : edgeSupport(small, gy, quad[3], quad[2], 0, -1),
            left.border ? BORDER_SUPPORT : edgeSupport(small, gx, quad[0], quad[3], 1, 0),
          ];
          const mean = support.reduce((sum, value) => sum + value, 0) / support.length;
          const score = WEAKEST_SIDE_WEIGHT * Math.min(...support) + (1 - WEAKEST_SIDE_WEIGHT) * mean;
          const rank = score + AREA_BONUS * Math.min(1, area);
          if ((!best || rank > best.rank) && !goesOn(quad, small, gx, gy)) best = { quad, sides: all, score, rank };
        }
  return best && best.score >= minScore ? best : null;
}

/**
 * Whether two opposite sides of a sheet are seen on behind one that would end it: that is a fold's shadow, or the gap between two sheets that lie
 * edge to edge.
 */
function goesOn([a, b, c, d]: Quad, small: Raster, gx: Int16Array, gy: Int16Array): boolean {
  const behind = (from: Point, to: Point): Point => ({
    x: to.x + EXTENSION * (to.x - from.x),
    y: to.y + EXTENSION * (to.y - from.y),
  });
  const left = (from: Point, to: Point) => edgeSupport(small, gx, to, behind(from, to), 1, 0) >= GOES_ON;
  const right = (from: Point, to: Point) => edgeSupport(small, gx, to, behind(from, to), -1, 0) >= GOES_ON;
  const top = (from: Point, to: Point) => edgeSupport(small, gy, to, behind(from, to), 0, 1) >= GOES_ON;
  const bottom = (from: Point, to: Point) => edgeSupport(small, gy, to, behind(from, to), 0, -1) >= GOES_ON;
  return (
    (left(a, d) && right(b, c)) ||
    (left(d, a) && right(c, b)) ||
    (top(a, b) && bottom(d, c)) ||
    (top(b, a) && bottom(c, d))
  );
}

/** Keeps gradients whose two sides differ in lightness; a ruled line has paper on both sides. */
function withoutRules({ gx, gy }: Gradients, small: Raster): Gradients {
  return { gx: atSteps(gx, small, 'x'), gy: atSteps(gy, small, 'y') };
}

/** At the picture's border all of a gradient stays. @param axis along which it is. */
function atSteps(gradient: Int16Array, { width, height, pixels }: Raster, axis: 'x' | 'y'): Int16Array {
  const [stride, length] = axis === 'x' ? [1, width] : [width, height];
  const reach = BEYOND * stride;
  return gradient.map((value, at) => {
    const place = axis === 'x' ? at % width : Math.floor(at / width);
    if (place < BEYOND || place >= length - BEYOND) return value;
    return Math.sign(value) * (pixels[at + reach]! - pixels[at - reach]!) >= MIN_STEP ? value : 0;
  });
}

/** Whether a window drew it: two opposite sides are level, or two sides and the others hardly seen, lines of something else in it. */
function isDrawn(quad: Quad, score: number): boolean {
  const { count, areOpposite } = levelSides(quad);
  return areOpposite || (count >= 2 && score < WHOLE);
}

function crossing(row: Side, column: Side): Point {
  const x = (column.at + column.slope * row.at) / (1 - column.slope * row.slope);
  return { x, y: row.at + row.slope * x };
}

/**
 * Part of a side that has a visible edge, with the paper inside. A ruled line has such an edge too, but paper on both sides: a little
 * further out it must be as dark as the ground. The same check rejects a shaded band, behind which the paper continues.
 */
function edgeSupport(
  { width, height, pixels }: Raster,
  gradient: Int16Array,
  from: Point,
  to: Point,
  inwardX: number,
  inwardY: number,
): number {
  let seen = 0;
  let counted = 0;
  let beyond = 0;
  const inward = inwardY * width + inwardX;
  const isInside = (x: number, y: number) => x >= 0 && y >= 0 && x < width && y < height;
  for (let i = 0; i < SAMPLES; i++) {
    const t = (i + 0.5) / SAMPLES;
    const x = Math.round(from.x + (to.x - from.x) * t);
    const y = Math.round(from.y + (to.y - from.y) * t);
    const at = y * width + x;
    if (x < BEYOND || y < BEYOND || x >= width - BEYOND || y >= height - BEYOND) continue;
    counted++;
    const paper = pixels[at + BEYOND * inward]!;
    const isPaper = (d: number) =>
      isInside(x - d * inwardX, y - d * inwardY) && pixels[at - d * inward]! >= paper - MIN_STEP / 2;
    if (BAND.some(isPaper)) beyond++;
    if (paper - pixels[at - BEYOND * inward]! < MIN_STEP) continue;
    for (let step = -EDGE_SLACK; step <= EDGE_SLACK; step++)
      if (gradient[at + step * inward]! * (inwardX + inwardY) >= MIN_EDGE) {
        seen++;
        break;
      }
  }
  return counted < SAMPLES * MIN_INSIDE || beyond > MIN_PAPER_BEYOND * counted ? 0 : seen / counted;
}
