import type { Raster } from '../raster.ts';
import { type Component, findComponents } from '../structure/components.ts';
import { flattenBackground } from '../structure/flatten-background.ts';
import { findInk, type Ink } from '../structure/ink.ts';
import { shrink } from './shrink.ts';

/** Longer side at which the letters of a full sheet can still be told apart. */
const ENOUGH_PIXELS = 1300;
/** Fewer votes say nothing about a page. */
const MIN_VOTES = 12;
/** Gap between neighbouring letters of a word, as part of a letter's size; lines stand further apart. */
const WORD_GAP = 0.4;
const MIN_ELONGATION = 1.8;

/**
 * Whether the lines of text run across the image or down it: letters are grown until those of a word touch, and the long
 * sides of the words vote. Null when there are too few words to tell.
 */
export function findTextAxis(original: Raster): 'across' | 'down' | null {
  const page = shrink(original, Math.floor(Math.max(original.width, original.height) / ENOUGH_PIXELS));
  const longer = Math.max(page.width, page.height);
  const ink = findInk(flattenBackground(page, Math.max(15, Math.round(longer / 50))));
  const size = typicalSize(findComponents(ink));
  if (size === null) return null;
  const words = findComponents(grow(ink, Math.max(1, Math.round((WORD_GAP * size) / 2))));
  let across = 0;
  let down = 0;
  for (const { left, right, top, bottom } of words) {
    const width = right - left;
    const height = bottom - top;
    if (Math.min(width, height) > 2.2 * size || Math.max(width, height) > 25 * size) continue;
    if (width > MIN_ELONGATION * height) across++;
    else if (height > MIN_ELONGATION * width) down++;
  }
  if (across + down < MIN_VOTES) return null;
  return across >= down ? 'across' : 'down';
}

/** Longer side of a whole letter, pixels; null when there are too few pieces of a letter's size. */
function typicalSize(components: readonly Component[]): number | null {
  const sizes = components
    .map(({ left, right, top, bottom }) => Math.max(right - left, bottom - top))
    .filter((size) => size >= 5 && size <= 90)
    .sort((a, b) => a - b);
  return sizes.length < MIN_VOTES ? null : sizes[Math.floor(sizes.length * 0.6)]!;
}

/** Makes every bit of ink a square of 2 · radius + 1 pixels. */
function grow({ width, height, bits }: Ink, radius: number): Ink {
  const rows = new Uint8Array(bits.length);
  for (let y = 0; y < height; y++) {
    let until = -1;
    for (let x = 0; x < width + radius; x++) {
      if (x < width && bits[y * width + x]) until = x + 2 * radius;
      if (x - radius >= 0 && x - radius < width && until >= x) rows[y * width + x - radius] = 1;
    }
  }
  const out = new Uint8Array(bits.length);
  const until = new Int32Array(width).fill(-1);
  for (let y = 0; y < height + radius; y++)
    for (let x = 0; x < width; x++) {
      if (y < height && rows[y * width + x]) until[x] = y + 2 * radius;
      if (y >= radius && until[x]! >= y) out[(y - radius) * width + x] = 1;
    }
  return { width, height, bits: out };
}
