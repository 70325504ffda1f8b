import type { Raster } from '../raster.ts';
import { flattenBackground } from '../structure/flatten-background.ts';
import { findInk } from '../structure/ink.ts';
import { shrink } from './shrink.ts';

/** Longer side at which a twentieth of a degree still moves a line's end by half a pixel. */
const ENOUGH_PIXELS = 1100;
const RANGE_DEGREES = 5;
const COARSE_DEGREES = 0.25;
const FINE_DEGREES = 0.05;
const RADIANS = Math.PI / 180;

/**
 * Angle, in degrees, by which lines of text and rules fall to the right (positive: they go down). Found as the shear at
 * which the rows of ink are told apart best.
 */
export function findSkew(original: Raster): number {
  const page = shrink(original, Math.floor(Math.max(original.width, original.height) / ENOUGH_PIXELS));
  const ink = findInk(flattenBackground(page, Math.max(15, Math.round(page.width / 50))));
  const points: number[] = [];
  for (let y = 0; y < ink.height; y++)
    for (let x = y % 2; x < ink.width; x += 2) if (ink.bits[y * ink.width + x]) points.push(x - ink.width / 2, y);
  if (points.length < 200) return 0;
  const coarse = bestAngle(points, ink.height, -RANGE_DEGREES, RANGE_DEGREES, COARSE_DEGREES);
  return bestAngle(points, ink.height, coarse - COARSE_DEGREES, coarse + COARSE_DEGREES, FINE_DEGREES);
}

function bestAngle(points: readonly number[], height: number, from: number, to: number, step: number): number {
  let best = 0;
  let bestScore = -1;
  for (let angle = from; angle <= to + 1e-9; angle += step) {
    const score = contrastOfRows(points, height, Math.tan(angle * RADIANS));
    // Of equal angles, the one nearest to none.
    if (score > bestScore * (1 + 1e-9) || (score === bestScore && Math.abs(angle) < Math.abs(best))) {
      bestScore = score;
      best = angle;
    }
  }
  return best;
}

function contrastOfRows(points: readonly number[], height: number, slope: number): number {
  const margin = height >> 1;
  const rows = new Float64Array(height + 2 * margin);
  for (let i = 0; i < points.length; i += 2) {
    const row = Math.round(points[i + 1]! - points[i]! * slope) + margin;
    if (row >= 0 && row < rows.length) rows[row]!++;
  }
  let score = 0;
  for (let row = 1; row < rows.length; row++) score += (rows[row]! - rows[row - 1]!) ** 2;
  return score;
}
