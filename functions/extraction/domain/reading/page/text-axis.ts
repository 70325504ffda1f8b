import type { Raster } from '../raster.ts';
import { type Component, findComponents } from '../structure/ink/components.ts';
import { findInk, type Ink } from '../structure/ink/ink.ts';
import { normaliseIllumination } from '../structure/ink/normalise-illumination.ts';
import { shrink } from './shrink.ts';

export type TextAxis = 'across' | 'down';

/** Longer side at which the letters of a full sheet can still be told apart. */
const ENOUGH_PIXELS = 1300;
/** Fewer pieces of a letter's size are not text. */
const MIN_LETTERS = 8;
/** Fewer votes, or votes that agree less, leave the axis open. */
const MIN_VOTES = 12;
const MIN_MAJORITY = 0.75;
/** Gap between neighbouring letters of a word, as part of a letter's size; gaps between lines are larger. */
const WORD_GAP = 0.4;
const MIN_ELONGATION = 1.8;
/** A scratch in a rule, pixels. */
const MAX_RULE_GAP = 2;

/**
 * Whether the text lines of a straight page run across it or down: letters are grown until those of a word touch, and the words' long
 * sides vote. Both axes if the vote is unclear, none if there are no letters.
 */
export function textAxes(original: Raster): readonly TextAxis[] {
  const page = shrink(original, Math.floor(Math.max(original.width, original.height) / ENOUGH_PIXELS));
  const ink = findInk(normaliseIllumination(page, Math.max(15, Math.round(Math.max(page.width, page.height) / 50))));
  const size = typicalSize(findComponents(ink));
  if (size === null) return [];
  const text = withoutRules(ink, Math.max(32, 4 * size));
  const words = findComponents(grow(text, Math.max(1, Math.round((WORD_GAP * size) / 2))));
  let across = 0;
  let down = 0;
  for (const { left, right, top, bottom } of words) {
    const width = right - left;
    const height = bottom - top;
    if (Math.min(width, height) > 2.2 * size || Math.max(width, height) > 25 * size) continue;
    if (width > MIN_ELONGATION * height) across++;
    else if (height > MIN_ELONGATION * width) down++;
  }
  const votes = across + down;
  if (votes < MIN_VOTES || Math.max(across, down) < MIN_MAJORITY * votes) return ['across', 'down'];
  return [across > down ? 'across' : 'down'];
}

/** Longer side of a whole letter, pixels; null when there are too few pieces of a letter's size. */
function typicalSize(components: readonly Component[]): number | null {
  const sizes = components
    .map(({ left, right, top, bottom }) => Math.max(right - left, bottom - top))
    .filter((size) => size >= 5 && size <= 90)
    .sort((a, b) => a - b);
  return sizes.length < MIN_LETTERS ? null : sizes[Math.floor(sizes.length * 0.6)]!;
}

/** Takes out everything straight and long, in both directions: rules would connect the words of a table. */
function withoutRules(ink: Ink, minLength: number): Ink {
  const { width, height, bits } = ink;
  const left = bits.slice();
  for (let y = 0; y < height; y++) eraseRuns(bits, left, y * width, 1, width, width, minLength);
  for (let x = 0; x < width; x++) eraseRuns(bits, left, x, width, height, 1, minLength);
  return { width, height, bits: left };
}

/** Along one row or column: erases runs of at least `minLength`, with their soft edges on both sides. */
function eraseRuns(
  bits: Uint8Array,
  left: Uint8Array,
  first: number,
  step: number,
  count: number,
  beside: number,
  minLength: number,
): void {
  let start = -1;
  let end = -1;
  for (let i = 0; i <= count; i++) {
    if (i < count && bits[first + i * step]) {
      if (start < 0) start = i;
      end = i;
    } else if (start >= 0 && (i === count || i - end > MAX_RULE_GAP)) {
      if (end + 1 - start >= minLength)
        for (let at = first + start * step; at <= first + end * step; at += step)
          for (const near of [at - beside, at, at + beside]) if (near >= 0 && near < left.length) left[near] = 0;
      start = -1;
    }
  }
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
