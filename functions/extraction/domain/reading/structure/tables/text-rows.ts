import { type Extent, hullOf } from './grid.ts';
import type { Word } from './words.ts';

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

/** Words of one row joined, from left to right, where no more white than `gap` pixels parts them. */
export function joinNear(words: readonly Extent[], gap: number): readonly Extent[] {
  const joined: Extent[] = [];
  for (const word of words.toSorted((a, b) => a.left - b.left)) {
    const last = joined.at(-1);
    if (last && word.left - last.right <= gap) joined[joined.length - 1] = hullOf(last, word);
    else joined.push(word);
  }
  return joined;
}
