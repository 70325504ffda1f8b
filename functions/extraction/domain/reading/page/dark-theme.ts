import { histogramOf, quantileLevel } from '../levels.ts';
import type { Raster } from '../raster.ts';
import { MIN_PAPER } from './image-quality.ts';

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
  const [darkest, ground, most, lightest] = [0.002, 0.5, 0.9, 0.998].map((share) => quantileLevel(histogram, share));
  // Paper as dark as this cannot be read: no page that can be is inverted.
  const contrast = lightest! - ground!;
  return most! < MIN_PAPER && contrast > MIN_CONTRAST && contrast > MIN_LEAD * (ground! - darkest!);
}
