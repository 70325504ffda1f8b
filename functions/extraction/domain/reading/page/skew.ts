import type { Size } from '../geometry.ts';
import type { Raster } from '../raster.ts';
import { findInk } from '../structure/ink/ink.ts';
import { normaliseIllumination } from '../structure/ink/normalise-illumination.ts';
import { shrink } from './shrink.ts';

/** Longer side at which a twentieth of a degree still moves a line's end by half a pixel. */
const ENOUGH_PIXELS = 1100;
const RANGE_DEGREES = 15;
const COARSE_DEGREES = 0.25;
const FINE_DEGREES = 0.05;
const RADIANS = Math.PI / 180;
/** Fewer bits of ink show no line. */
const MIN_POINTS = 100;
/** A coarse search with one bit in every few rules out angles: those whose contrast is less than this part of the best one's. */
const ROUGH_STEP = 4;
const MIN_ROUGH_CONTRAST = 0.5;

/**
 * Angle, in degrees, by which lines of text and rules fall to the right (positive: downwards), for any orientation of the page. Found as
 * the shear that separates rows, or columns, of ink best.
 */
export function findSkew(original: Raster): number {
  const page = shrink(original, Math.floor(Math.max(original.width, original.height) / ENOUGH_PIXELS));
  const { width, height, bits } = findInk(normaliseIllumination(page, Math.max(15, Math.round(page.width / 50))));
  const xs: number[] = [];
  const ys: number[] = [];
  for (let y = 0; y < height; y++)
    for (let x = y % 2; x < width; x += 2)
      if (bits[y * width + x]) {
        xs.push(x - width / 2);
        ys.push(y - height / 2);
      }
  if (xs.length < MIN_POINTS) return 0;
  const isRough = (_: number, index: number) => index % ROUGH_STEP === 0;
  const roughly = contrastAt(xs.filter(isRough), ys.filter(isRough), page);
  const exactly = contrastAt(xs, ys, page);
  const angles = anglesOf(-RANGE_DEGREES, RANGE_DEGREES, COARSE_DEGREES);
  const rough = angles.map(roughly);
  const limit = MIN_ROUGH_CONTRAST * Math.max(...rough);
  const coarse = bestAngle(
    angles.filter((_, index) => rough[index]! >= limit),
    exactly,
  );
  return bestAngle(anglesOf(coarse - COARSE_DEGREES, coarse + COARSE_DEGREES, FINE_DEGREES), exactly);
}

function anglesOf(from: number, to: number, step: number): readonly number[] {
  return Array.from({ length: Math.round((to - from) / step) + 1 }, (_, n) => from + n * step);
}

function bestAngle(angles: readonly number[], contrast: (degrees: number) => number): number {
  let best = 0;
  let bestContrast = -1;
  for (const angle of angles) {
    const found = contrast(angle);
    // Of equal angles, the one nearest to none.
    if (found > bestContrast || (found === bestContrast && Math.abs(angle) < Math.abs(best))) {
      bestContrast = found;
      best = angle;
    }
  }
  return best;
}

/** Contrast between rows and between columns of these points on a page sheared by this angle, in degrees. */
function contrastAt(xs: readonly number[], ys: readonly number[], { width, height }: Size) {
  const across = Float32Array.from(xs);
  const along = Float32Array.from(ys);
  return (degrees: number): number => {
    const slope = Math.tan(degrees * RADIANS);
    return contrastOfRows(along, across, slope, height) + contrastOfRows(across, along, -slope, width);
  };
}

function contrastOfRows(across: Float32Array, along: Float32Array, slope: number, size: number): number {
  const rows = new Int32Array(2 * size);
  for (let i = 0; i < across.length; i++) {
    // Not Math.round, whose branch no processor can foresee here.
    const row = Math.floor(across[i]! - along[i]! * slope + size + 0.5);
    if (row >= 0 && row < rows.length) rows[row]!++;
  }
  let contrast = 0;
  for (let row = 1; row < rows.length; row++) contrast += (rows[row]! - rows[row - 1]!) ** 2;
  return contrast;
}
