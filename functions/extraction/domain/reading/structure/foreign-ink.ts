import type { Component } from './components.ts';
import type { PageStructure } from './find-tables.ts';
import type { Extent } from './grid.ts';
import { PRINT } from './ink.ts';

/** In letter heights: what is taller or wider in one piece is no letter but a stroke of a pen, a stamp, or letters that one has joined. */
export const MAX_LETTER = { height: 2.2, width: 8 };
/** In letter heights: how far beside a line a stroke may cover another letter of it. */
const BESIDE = 0.7;
/** In square letter heights: less of a stroke is the edge of one that passes by. */
const MIN_INK = 0.06;

/**
 * Whether a pen's stroke or a stamp crosses a line of print or lies right beside it: letters that it covers are in one piece
 * with it, so that the line may be read surely without them.
 * @param own the line's letters.
 * @param foreign the page's components that are no letters.
 */
export function isCrossed(
  line: Extent,
  own: readonly Component[],
  foreign: readonly Component[],
  { clean, letterHeight }: PageStructure,
): boolean {
  const reach = BESIDE * letterHeight;
  const near = { ...line, left: line.left - reach, right: line.right + reach };
  const strokes = foreign.filter((part) => overlaps(part, near));
  if (strokes.length === 0) return false;
  const [top, bottom] = [Math.max(0, Math.round(line.top)), Math.min(clean.height, Math.round(line.bottom))];
  const [left, right] = [Math.max(0, Math.round(near.left)), Math.min(clean.width, Math.round(near.right))];
  let ink = 0;
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      if (clean.pixels[y * clean.width + x]! >= PRINT) continue;
      const isInside = (part: Extent) => x >= part.left && x < part.right && y >= part.top && y < part.bottom;
      if (strokes.some(isInside) && !own.some(isInside)) ink++;
    }
  return ink > MIN_INK * letterHeight ** 2;
}

export function isForeign({ left, right, top, bottom }: Component, letterHeight: number): boolean {
  return bottom - top >= MAX_LETTER.height * letterHeight || right - left >= MAX_LETTER.width * letterHeight;
}

function overlaps(a: Extent, b: Extent): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
