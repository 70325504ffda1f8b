import type { Raster } from '../raster.ts';

/** A side of the sheet: `at + slope · position`, along x for top and bottom, along y for left and right. */
export interface Side {
  readonly at: number;
  readonly slope: number;
  readonly border: boolean;
}

/** Gray-level differences across two pixels, along x and along y. */
export interface Gradients {
  readonly gx: Int16Array;
  readonly gy: Int16Array;
}

/** Gray levels between paper and ground, across two working pixels. */
export const MIN_EDGE = 7;
const MAX_SLOPE = 0.4;
const SLOPE_STEP = 0.01;
/** Lines kept of each side. */
const MAX_CANDIDATES = 7;
/** An edge votes where it is at least so much steeper across the side than along it. */
const MIN_STEEPNESS_ACROSS = 0.9;
/** A very strong edge (a black stripe on the desk) votes no more than this. */
const MAX_VOTE = 40;
/** Part of the picture's width that the weakest edge must run along to be a candidate. */
const MIN_RUN = 0.12;
/** Cells of the accumulator around a peak that belong to the same line. */
const SUPPRESSED = { slopes: 6, offsets: 5 };

/** Binomial 3 × 3 filter. */
export function blur({ width, height, pixels }: Raster): Raster {
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

export function gradients({ width, height, pixels }: Raster): Gradients {
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

export function transposeGradient(values: Int16Array, width: number, height: number): Int16Array {
  const out = new Int16Array(values.length);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) out[x * height + y] = values[y * width + x]!;
  return out;
}

/**
 * The strongest near-horizontal lines across which the picture grows lighter (polarity 1) or darker (-1): a Hough transform
 * and non-maximum suppression. The picture's own border is one more candidate.
 */
export function strongestLines(
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
      if (strength < MIN_EDGE || strength < Math.abs(along[y * width + x]!) * MIN_STEEPNESS_ACROSS) continue;
      const weight = Math.min(strength, MAX_VOTE);
      for (let s = 0; s < slopes; s++) {
        // Not Math.round, whose branch no processor can foresee here.
        const offset = Math.floor(y - (s * SLOPE_STEP - MAX_SLOPE) * (x - width / 2) + 0.5) + margin;
        if (offset >= 0 && offset < offsets) votes[s * offsets + offset]! += weight;
      }
    }
  const found: Side[] = [];
  for (let n = 0; n < MAX_CANDIDATES; n++) {
    let peak = 0;
    let at = -1;
    for (let i = 0; i < votes.length; i++)
      if (votes[i]! > peak) {
        peak = votes[i]!;
        at = i;
      }
    if (at < 0 || peak < MIN_RUN * width * MIN_EDGE) break;
    const s = Math.floor(at / offsets);
    const slope = s * SLOPE_STEP - MAX_SLOPE;
    const middle = (at % offsets) - margin;
    found.push({ at: middle - (slope * width) / 2, slope, border: false });
    for (let ds = -SUPPRESSED.slopes; ds <= SUPPRESSED.slopes; ds++)
      for (let dOffset = -SUPPRESSED.offsets; dOffset <= SUPPRESSED.offsets; dOffset++) {
        const near = s + ds;
        const offset = (at % offsets) + dOffset;
        if (near >= 0 && near < slopes && offset >= 0 && offset < offsets) votes[near * offsets + offset] = 0;
      }
  }
  found.push({ at: polarity === 1 ? 0 : height, slope: 0, border: true });
  return found;
}
