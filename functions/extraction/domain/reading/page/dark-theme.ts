import type { Quad } from '../geometry.ts';
import { histogramOf, quantileLevel } from '../levels.ts';
import { cropRaster, type Raster } from '../raster.ts';
import { type DocumentQuad, detectDocumentQuad } from './detect-document-quad.ts';

/** The part of a picture that is ground; the rest is print, and the bands of headers and of the row that is chosen. */
const MOST = 0.8;
/** The part that is print at most: a sheet of paper on a dark desk is more. */
const MAX_PRINT = 0.06;
/** Of the rows, those that are in a light header or a chosen row at most. */
const MAX_BANDS = 0.1;
/** Gray level of the ground; print on paper that is as dark as this stands out less than light print does. */
const MAX_GROUND = 70;
/** By how much print is lighter than the ground at least. */
const MIN_CONTRAST = 60;
/** How much farther print is from the ground than anything darker: print on paper is the other way around. */
const MIN_LEAD = 4;

/** Of its width and height, on either side: the frame of a screen that a photograph shows is light here and there. */
const FRAME = 0.1;

/** A program's dark theme, light print on a dark ground, as dark print on a light one; any other picture as it is. */
export function withoutDarkTheme(picture: Raster): Raster {
  return isDarkTheme(picture) ? inverted(picture) : picture;
}

/** The same of what a photograph shows of a screen, cut out with its frame. */
export function withoutDarkScreen(screen: Raster): Raster {
  return isDarkTheme(withoutFrame(screen)) ? inverted(screen) : screen;
}

function withoutFrame(screen: Raster): Raster {
  const [x, y] = [Math.round(FRAME * screen.width), Math.round(FRAME * screen.height)];
  return cropRaster(screen, x, y, screen.width - 2 * x, screen.height - 2 * y);
}

/** The outline of a dark screen before a lighter wall or desk; null for any other picture. */
export function darkScreenIn(picture: Raster): DocumentQuad | null {
  if (quantileLevel(histogramOf(picture.pixels), 0.5)! >= MAX_GROUND) return null;
  const found = detectDocumentQuad(inverted(picture));
  return found && isDarkTheme(withoutFrame(around(picture, found.corners))) ? found : null;
}

function around(picture: Raster, corners: Quad): Raster {
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const [left, top] = [Math.max(0, Math.round(Math.min(...xs))), Math.max(0, Math.round(Math.min(...ys)))];
  const right = Math.min(picture.width, Math.round(Math.max(...xs)));
  const bottom = Math.min(picture.height, Math.round(Math.max(...ys)));
  return cropRaster(picture, left, top, right - left, bottom - top);
}

function inverted(picture: Raster): Raster {
  // Marks are taken out of white paper only: this picture has none.
  const { width, height, pixels } = picture;
  return { width, height, pixels: pixels.map((level) => 255 - level) };
}

function isDarkTheme(picture: Raster): boolean {
  const whole = histogramOf(picture.pixels);
  if (quantileLevel(whole, MOST) >= MAX_GROUND) return false;
  const histogram = outsideLightBands(picture) ?? whole;
  const level = (share: number) => quantileLevel(histogram, share)!;
  const [darkest, ground, lightest] = [level(0.002), level(0.5), level(0.998)];
  const contrast = lightest - ground;
  const isPrint = level(1 - MAX_PRINT) < (ground + lightest) / 2;
  return isPrint && contrast > MIN_CONTRAST && contrast > MIN_LEAD * (ground - darkest);
}

/** The levels of the rows that are not light for the most part; null if more are light than bands explain. */
function outsideLightBands({ width, height, pixels }: Raster): Float64Array | null {
  const rows = Array.from({ length: height }, (_, y) => histogramOf(pixels.subarray(y * width, (y + 1) * width)));
  const dark = rows.filter((row) => quantileLevel(row, 0.5) <= MAX_GROUND);
  if (dark.length < (1 - MAX_BANDS) * height) return null;
  return Float64Array.from({ length: 256 }, (_, level) => dark.reduce((total, row) => total + row[level]!, 0));
}
