import { type Extent, hullOf } from './grid.ts';
import type { Word } from './words.ts';

/** In heights of a word: how far below its foot a point or a comma may reach. */
const POINT_DROP = 0.3;

/** Words that lie side by side. */
export interface TextRow {
  readonly top: number;
  readonly bottom: number;
  readonly words: readonly Word[];
}

/** Groups words to rows, top to bottom. */
export function findTextRows(words: readonly Word[], letterHeight: number): readonly TextRow[] {
  const sorted = [...words].sort((a, b) => a.top + a.bottom - b.top - b.bottom);
  const rows: { top: number; bottom: number; center: number; words: Word[] }[] = [];
  for (const word of sorted) {
    const center = (word.top + word.bottom) / 2;
    const row = rows.at(-1);
    if (row && center - row.center < 0.6 * letterHeight) {
      row.words.push(word);
      row.center += (center - row.center) / row.words.length;
      row.top = Math.min(row.top, word.top);
      row.bottom = Math.max(row.bottom, word.bottom);
    } else rows.push({ top: word.top, bottom: word.bottom, center, words: [word] });
  }
  return rows;
}

/** Part of the columns between `borders` that a row has words in, 0 to 1. */
export function filledShare(row: TextRow, borders: readonly number[]): number {
  let filled = 0;
  for (let column = 0; column + 1 < borders.length; column++)
    if (row.words.some(({ left, right }) => within((left + right) / 2, borders[column]!, borders[column + 1]!)))
      filled++;
  return filled / (borders.length - 1);
}

export function within(x: number, from: number, to: number): boolean {
  return x >= from && x < to;
}

/**
 * Words of one row joined, from left to right, where no more white than `gap` pixels is between them, or on either side of a point there.
 * @param points marks at the foot of letters, which are too small to be found as words, from left to right.
 */
export function joinNear(words: readonly Extent[], gap: number, points: readonly Extent[] = []): readonly Extent[] {
  const joined: Extent[] = [];
  for (const word of words.toSorted((a, b) => a.left - b.left)) {
    const last = joined.at(-1);
    if (last && whiteBetween(last, word, points) <= gap) joined[joined.length - 1] = hullOf(last, word);
    else joined.push(word);
  }
  return joined;
}

/** The widest white between two words, in pixels: a point between them ends one blank and starts another. */
function whiteBetween(a: Extent, b: Extent, points: readonly Extent[]): number {
  const foot = (Math.min(a.top, b.top) + Math.max(a.bottom, b.bottom)) / 2;
  const isBetween = ({ left, top, right, bottom }: Extent) =>
    left >= a.right &&
    right <= b.left &&
    top > foot &&
    bottom <= Math.max(a.bottom, b.bottom) + POINT_DROP * (b.bottom - b.top);
  let at = firstFrom(points, a.right);
  while (at < points.length && points[at]!.left < b.left && !isBetween(points[at]!)) at++;
  const point = points[at];
  return point && point.left < b.left ? Math.max(point.left - a.right, b.left - point.right) : b.left - a.right;
}

/** Index of the first of these marks, sorted from left to right, that starts at `x` or after it. */
export function firstFrom(marks: readonly Extent[], x: number): number {
  let [from, to] = [0, marks.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (marks[middle]!.left < x) from = middle + 1;
    else to = middle;
  }
  return from;
}
