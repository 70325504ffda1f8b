import type { Extent } from './grid.ts';

/** In letter heights. */
const WELL_INTO = 0.6;

/** Whether a word belongs to two columns: it reaches well into both. */
export function crossesBorder(word: Extent, borders: readonly number[], letterHeight: number): boolean {
  return borders.slice(1, -1).some((at) => crosses(word, at, WELL_INTO * letterHeight));
}

export function crosses({ left, right }: Extent, at: number, reach: number): boolean {
  return left < at - reach && right > at + reach;
}
