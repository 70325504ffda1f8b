import { contains, type GridCell, type GridTable } from './grid.ts';
import { crosses } from './table-rows.ts';
import type { Word, Words } from './words.ts';

/** In letter heights: how far a word reaches on both sides of a border that it belies; and how wide it is where it is no number of a dose. */
const FAR = 1;
const WIDE = 4.5;
/** In letter heights: how far a word reaches over a border that it may only touch. */
const OVER = 0.15;
/** Rows in which words belie a border; and for each row with print on both sides of it, as a header has by chance, rows in which wide ones do. */
const MIN_ROWS = 2;
const TIMES_PARTED = 3;

/**
 * The table with cells joined whose border comes from the rule of another form, or of the other side, across print: on at least two rows
 * a word runs far through it, and no row, or only few compared with those that wide words run through, has print on both sides of it.
 * @param words close print of two columns near their border is one close word, but white at the border splits it into tight ones.
 */
export function withoutCrossedBorders(table: GridTable, words: Words, letterHeight: number): GridTable {
  const close = words.close.filter((word) => contains(table, word));
  const tight = words.tight.filter((word) => contains(table, word));
  const ending = Map.groupBy(table.cells, ({ column, columnSpan }) => column + columnSpan);
  const beginning = Map.groupBy(table.cells, ({ column }) => column);
  const joined = new Map<GridCell, GridCell>();
  for (let column = 1; column < table.columnCount; column++) {
    const rights = new Map((beginning.get(column) ?? []).map((cell) => [cell.row, cell]));
    const pairs = (ending.get(column) ?? []).flatMap((left) => {
      const right = rights.get(left.row);
      if (right?.rowSpan !== left.rowSpan) return [];
      return [{ left, right, side: sideOf(left, right, { close, tight }, letterHeight) }];
    });
    const parted = pairs.filter(({ side }) => side === 'both').length;
    const crossed = pairs.filter(({ side }) => side === 'across' || side === 'far across');
    const wide = crossed.filter(({ side }) => side === 'far across').length;
    const needed = Math.max(MIN_ROWS, TIMES_PARTED * parted);
    if ((parted === 0 ? crossed.length : wide) >= needed)
      for (const { left, right } of crossed) joined.set(right, joined.get(left) ?? left);
  }
  if (joined.size === 0) return table;
  const lastPart = new Map([...joined].map(([part, first]) => [first, part]));
  const cells = table.cells.flatMap((cell) => {
    if (joined.has(cell)) return [];
    const last = lastPart.get(cell);
    return last ? [{ ...cell, right: last.right, columnSpan: last.column + last.columnSpan - cell.column }] : [cell];
  });
  return { ...table, cells };
}

type Side = 'across' | 'far across' | 'both';

/** The side of the border between two cells on which print lies; null if inconclusive. */
function sideOf(left: GridCell, right: GridCell, { close, tight }: Words, letterHeight: number): Side | null {
  const at = left.right;
  const isOwn = (word: Word) => contains({ ...left, right: right.right }, word);
  const own = close.filter(isOwn);
  const across = own.find((word) => crosses(word, at, FAR * letterHeight));
  if (across && !tight.some((word) => isOwn(word) && crosses(word, at, 0))) return null;
  if (across) return across.right - across.left > WIDE * letterHeight ? 'far across' : 'across';
  if (own.some((word) => crosses(word, at, OVER * letterHeight))) return null;
  return own.some((word) => contains(left, word)) && own.some((word) => contains(right, word)) ? 'both' : null;
}
