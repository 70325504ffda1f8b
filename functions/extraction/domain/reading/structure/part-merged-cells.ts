import { contains, type GridCell, type GridTable, positionAt, type Separator } from './grid.ts';
import type { Word } from './words.ts';

/** How far, in letter heights, a word may reach over a border that is not drawn. */
const REACH = 0.6;

/**
 * Rules that are faint, or hidden by a fill, leave cells merged: such a cell is parted again where every row or column that it
 * spans has words of its own. A heading over several columns, or a group's name beside several rows, fills one of them.
 */
export function partMergedCells(
  grid: GridTable,
  rows: readonly Separator[],
  columns: readonly Separator[],
  words: readonly Word[],
  letterHeight: number,
): GridTable {
  const reach = REACH * letterHeight;
  const cells = grid.cells
    .flatMap((cell) => (cell.columnSpan > 1 && cell.rowSpan === 1 ? partAcross(cell, columns, words, reach) : [cell]))
    .flatMap((cell) => (cell.rowSpan > 1 && cell.columnSpan === 1 ? partDown(cell, rows, words, reach) : [cell]));
  return { ...grid, cells };
}

function partAcross(
  cell: GridCell,
  columns: readonly Separator[],
  words: readonly Word[],
  reach: number,
): readonly GridCell[] {
  const middle = (cell.top + cell.bottom) / 2;
  const borders = columns.slice(cell.column, cell.column + cell.columnSpan + 1).map((each) => positionAt(each, middle));
  const pieces = borders.slice(1).map((right, index): GridCell => {
    return { ...cell, column: cell.column + index, columnSpan: 1, left: borders[index]!, right };
  });
  const crosses = (word: Word) => borders.slice(1, -1).some((at) => word.left < at - reach && word.right > at + reach);
  return eachFilled(pieces, cell, words, crosses) ? pieces : [cell];
}

function partDown(
  cell: GridCell,
  rows: readonly Separator[],
  words: readonly Word[],
  reach: number,
): readonly GridCell[] {
  const middle = (cell.left + cell.right) / 2;
  const borders = rows.slice(cell.row, cell.row + cell.rowSpan + 1).map((each) => positionAt(each, middle));
  const pieces = borders.slice(1).map((bottom, index): GridCell => {
    return { ...cell, row: cell.row + index, rowSpan: 1, top: borders[index]!, bottom };
  });
  const crosses = (word: Word) => borders.slice(1, -1).some((at) => word.top < at - reach && word.bottom > at + reach);
  return eachFilled(pieces, cell, words, crosses) ? pieces : [cell];
}

function eachFilled(
  pieces: readonly GridCell[],
  cell: GridCell,
  words: readonly Word[],
  crosses: (word: Word) => boolean,
): boolean {
  const inside = words.filter((word) => contains(cell, word));
  return !inside.some(crosses) && pieces.every((piece) => inside.some((word) => contains(piece, word)));
}
