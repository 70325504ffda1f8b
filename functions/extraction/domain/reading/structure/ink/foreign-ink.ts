import type { PageStructure } from '../find-tables.ts';
import type { Extent } from '../tables/grid.ts';
import type { Component } from './components.ts';
import { PRINT } from './ink.ts';

/** In letter heights: a taller or wider component is not a letter but a pen stroke, a stamp, or letters that one has joined. */
export const MAX_LETTER = { height: 2.2, width: 8 };
/** In letter heights: distance from a line within which a stroke may cover another of its letters. */
const BESIDE = 0.7;
/** In letter heights: blanks between the letters under a stroke. */
const GAP = 0.6;
/** In square letter heights: less of a stroke is the edge of one that passes by. */
const MIN_INK = 0.06;

/**
 * Whether a pen's stroke or a stamp crosses a print line or touches it: covered letters merge with the stroke, so that the line may be
 * read surely without them.
 * @param own the line's letters.
 * @param foreign the page's components that are not letters.
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
      if (strokes.some((part) => isInside(part, x, y)) && !own.some((part) => isInside(part, x, y))) ink++;
    }
  return ink > MIN_INK * letterHeight ** 2;
}

/** Whether a pen's stroke or a seal was taken out of a line of print: what it covered may be read as something else. */
export function isMarked(
  { left, top, right, bottom }: Extent,
  { clean: { width, height }, marks, letterHeight }: PageStructure,
): boolean {
  if (!marks) return false;
  let ink = 0;
  for (let y = Math.max(0, Math.round(top)); y < Math.min(height, bottom); y++)
    for (let x = Math.max(0, Math.round(left)); x < Math.min(width, right); x++)
      ink += Math.min(1, marks[y * width + x]!);
  return ink > MIN_INK * letterHeight ** 2;
}

/**
 * A print line including parts of the strokes across it: a stroke may have left too little of a letter to be found.
 * @param within the line's cell.
 */
export function alongStrokes(
  line: Extent,
  within: Extent,
  strokes: readonly Component[],
  { clean, letterHeight }: PageStructure,
): Extent {
  const over = strokes.filter((stroke) => overlaps(stroke, line));
  if (over.length === 0) return line;
  const isInked = (x: number) => isInkedAt(x, line, over, clean);
  const end = (from: number, to: number) => {
    const step = Math.sign(to - from);
    let last = from;
    for (let x = from; x !== to && Math.abs(x - last) <= GAP * letterHeight; x += step) if (isInked(x)) last = x;
    return last;
  };
  const left = end(Math.round(line.left), Math.max(-1, Math.round(within.left) - 1));
  const right = end(Math.round(line.right) - 1, Math.min(clean.width, Math.round(within.right))) + 1;
  return { ...line, left: Math.min(line.left, left), right: Math.max(line.right, right) };
}

/** Whether one of the strokes may have ink between the top and the bottom of a line, at `x`. */
export function isInkedAt(
  x: number,
  { top, bottom }: Pick<Extent, 'top' | 'bottom'>,
  strokes: readonly Extent[],
  { width, pixels }: PageStructure['clean'],
): boolean {
  for (let y = Math.round(top); y < bottom; y++)
    if (pixels[y * width + x]! < PRINT && strokes.some((stroke) => isInside(stroke, x, y))) return true;
  return false;
}

function isInside({ left, right, top, bottom }: Extent, x: number, y: number): boolean {
  return x >= left && x < right && y >= top && y < bottom;
}

/** In letter heights; of its height; and the part of its space that is ink. */
const ARC = { height: 1.75, width: 0.6, fill: 0.4 };

/** Whether a part next to a number is a piece of a ring around it: thin, and taller than digits. */
export function isArc({ left, right, top, bottom, area }: Component, letterHeight: number): boolean {
  const [width, height] = [right - left, bottom - top];
  return height >= ARC.height * letterHeight && width < ARC.width * height && area < ARC.fill * width * height;
}

export function isForeign({ left, right, top, bottom, stroke }: Component, letterHeight: number): boolean {
  return (
    stroke === true ||
    bottom - top >= MAX_LETTER.height * letterHeight ||
    right - left >= MAX_LETTER.width * letterHeight
  );
}

export function overlaps(a: Extent, b: Extent): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
