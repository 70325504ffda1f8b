import type { LineImage } from '../../line-recogniser.ts';
import { cropRaster } from '../../raster.ts';
import type { PageStructure } from '../find-tables.ts';
import type { Component } from '../ink/components.ts';
import type { Extent } from '../tables/grid.ts';
import { ONE_LINE, PADDING } from './cell-lines.ts';

/** In letter heights: how near a rule lies that letters may share strokes with. */
const REACH = 0.15;
/** Part of a line's width along which a rule has to be on it. */
const ON_RULE = 0.35;
/** In letter heights, of the pixels one below the other: more of them are a rule down the page. */
const ACROSS = 0.5;
/** In letter heights: lower print on a rule is the end of letters on its other side; `gap` is the distance between the two. */
const END = { height: 0.6, width: 1.5, gap: 0.35 };
/** Of a short number, in letter heights: its digits' height, the white between two of them that a point has, and how high above their feet it reaches. */
const NUMBER = { digit: 0.6, maxDigits: 6, minGap: 0.3, maxGap: 0.9, feet: 0.35 };
/** In letter heights: lower print is not worth a second reading. */
const MIN_HEIGHT = 0.6;

/**
 * The whole of a line printed on a rule, including the ends of its letters that the rule has cut off. Null if no rule across the page is
 * near.
 */
export function wholePrint(line: Extent, structure: PageStructure): Extent | null {
  const { letterHeight, components } = structure;
  if (coveredShare(line, structure) < ON_RULE) return null;
  let whole = line;
  for (const part of components)
    if (isEnd(part, line, letterHeight)) {
      const [top, bottom] = [Math.min(whole.top, part.top), Math.max(whole.bottom, part.bottom)];
      if (bottom - top <= ONE_LINE * letterHeight) whole = { ...whole, top, bottom };
    }
  return whole.bottom - whole.top < MIN_HEIGHT * letterHeight ? null : whole;
}

/** Whether a line is nothing but the ends of letters of another one, which were cut off by the rule between the two. */
export function isCutOff(
  line: Extent,
  other: { readonly whole: Extent; readonly line: Extent },
  letterHeight: number,
): boolean {
  const height = line.bottom - line.top;
  const [own, whole] = [other.line, other.whole];
  if (height > END.height * letterHeight || height >= own.bottom - own.top) return false;
  const middle = (line.top + line.bottom) / 2;
  const shared = Math.min(line.right, own.right) - Math.max(line.left, own.left);
  return (
    (line.top >= own.bottom - 1 || line.bottom <= own.top + 1) &&
    middle > whole.top &&
    middle < whole.bottom &&
    2 * shared > line.right - line.left
  );
}

/**
 * Whether a number may have lost its point to a rule at its feet: two of its digits are as far apart as around a point, no point is
 * visible, and a piece of a rule was taken out between them.
 * @param parts the components of its line.
 */
export function mayHaveLostPoint(parts: readonly Component[], { ruled, letterHeight }: PageStructure): boolean {
  const digits = parts
    .filter(({ top, bottom }) => bottom - top >= NUMBER.digit * letterHeight)
    .sort((a, b) => a.left - b.left);
  if (digits.length > NUMBER.maxDigits) return false;
  const reach = NUMBER.feet * letterHeight;
  return digits.some((digit, n) => {
    const before = digits[n - 1];
    const gap = before ? (digit.left - before.right) / letterHeight : 0;
    if (!before || gap < NUMBER.minGap || gap > NUMBER.maxGap) return false;
    if (parts.some(({ left, right }) => left >= before.right && right <= digit.left)) return false;
    const foot = Math.max(before.bottom, digit.bottom);
    for (let y = Math.round(foot - reach); y < Math.min(ruled.page.height, foot); y++) {
      const row = y * ruled.page.width;
      if (ruled.mask.subarray(row + before.right, row + digit.left).includes(1)) return true;
    }
    return false;
  });
}

/** Cuts a line out of the page as printed, including the rule that it touches. */
export function cutOnRule({ left, top, right, bottom }: Extent, { ruled, letterHeight }: PageStructure): LineImage {
  const height = Math.max(bottom - top, 0.9 * letterHeight);
  const padding = PADDING * height;
  const start = (top + bottom - height) / 2 - padding;
  return cropRaster(ruled.page, left - padding, start, right - left + 2 * padding, height + 2 * padding);
}

function isEnd({ left, top, right, bottom }: Component, line: Extent, letterHeight: number): boolean {
  const middle = (left + right) / 2;
  const gap = top >= line.bottom - 1 ? top - line.bottom : line.top - bottom;
  return (
    (top >= line.bottom - 1 || bottom <= line.top + 1) &&
    gap < END.gap * letterHeight &&
    bottom - top < END.height * letterHeight &&
    right - left < END.width * letterHeight &&
    middle > line.left &&
    middle < line.right
  );
}

/** Part of a line's width along which a rule touches it. */
function coveredShare(line: Extent, { ruled, letterHeight }: PageStructure): number {
  const { width, height } = ruled.page;
  const reach = REACH * letterHeight;
  const [left, right] = [Math.max(0, Math.round(line.left)), Math.min(width, Math.round(line.right))];
  const [top, bottom] = [Math.max(0, Math.round(line.top - reach)), Math.min(height, Math.round(line.bottom + reach))];
  let covered = 0;
  for (let x = left; x < right; x++) {
    let count = 0;
    for (let y = top; y < bottom; y++) count += ruled.mask[y * width + x]!;
    if (count > 0 && count < ACROSS * letterHeight) covered++;
  }
  return covered / Math.max(1, right - left);
}
