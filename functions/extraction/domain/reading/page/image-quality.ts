import { histogramOf, quantileLevel } from '../levels.ts';
import type { Raster } from '../raster.ts';
import type { ImageIssue, ImageQuality } from '../table-reader.ts';
import { isPaper } from './grain.ts';

/** Shorter sides cannot hold a line of a table. */
const MIN_SIDE = 48;
/** Gray level of the paper below which print is indistinguishable from it. */
const MIN_PAPER = 45;
/** Gray levels between paper and the darkest print. */
const MIN_CONTRAST = 28;
/** Steepest step between neighbours, as part of the contrast; the blurred class of the corpus stays above 0.2. */
const MIN_STEEPNESS = 0.1;

/** Measures whether print on this page can be legible. */
export function measureQuality(page: Raster): ImageQuality {
  const issues: ImageIssue[] = [];
  if (Math.min(page.width, page.height) < MIN_SIDE) issues.push('too_small');
  const { paper, print } = levels(page);
  if (paper < MIN_PAPER) issues.push('too_dark');
  if (paper - print < MIN_CONTRAST) issues.push('low_contrast');
  else if (steepestStep(page) < MIN_STEEPNESS * (paper - print)) issues.push('blurred');
  return { readable: issues.length === 0, issues, drawn: !isPaper(page) };
}

function levels({ pixels }: Raster): { paper: number; print: number } {
  const histogram = histogramOf(pixels);
  return { paper: quantileLevel(histogram, 0.9), print: quantileLevel(histogram, 0.002) };
}

/** The step that only one pixel in a thousand exceeds. */
function steepestStep({ width, height, pixels }: Raster): number {
  const histogram = new Float64Array(256);
  let count = 0;
  for (let y = 0; y < height; y++)
    for (let x = 1; x < width; x++) {
      histogram[Math.abs(pixels[y * width + x]! - pixels[y * width + x - 1]!)]!++;
      count++;
    }
  let sum = 0;
  for (let value = 255; value >= 0; value--) {
    sum += histogram[value]!;
    if (sum >= count / 1000) return value;
  }
  return 0;
}
