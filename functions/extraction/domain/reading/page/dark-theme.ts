import { histogramOf, quantileLevel } from '../levels.ts';
import type { Raster } from '../raster.ts';
import { MIN_PAPER } from './image-quality.ts';

/** The part of a picture that is ground; the rest is print, and the bands of headers and of the row that is chosen. */
const MOST = 0.8;
/** The part that is print at most: a sheet of paper in the dark is more. */
const MAX_PRINT = 0.12;
/** By how much print is lighter than the ground at least. */
const MIN_CONTRAST = 60;
/** How much farther print is from the ground than anything darker: print on paper is the other way around. */
const MIN_LEAD = 3;

/** A program's dark theme, light print on a dark ground, as dark print on a light one; any other picture as it is. */
export function withoutDarkTheme(picture: Raster): Raster {
  if (!isDarkTheme(picture)) return picture;
  // Marks are what was taken out of white paper: there is none.
  const { width, height, pixels } = picture;
  return { width, height, pixels: pixels.map((level) => 255 - level) };
}

function isDarkTheme({ pixels }: Raster): boolean {
  const histogram = histogramOf(pixels);
  const level = (share: number) => quantileLevel(histogram, share)!;
  const [darkest, ground, most, lightest] = [level(0.002), level(0.5), level(MOST), level(0.998)];
  const contrast = lightest - ground;
  const isPrint = level(1 - MAX_PRINT) < (ground + lightest) / 2;
  return most < MIN_PAPER && isPrint && contrast > MIN_CONTRAST && contrast > MIN_LEAD * (ground - darkest);
}
