import { contains, type GridCell, type GridTable, positionAt, type Separator } from './grid.ts';
import type { Word, Words } from './words.ts';

/** How far, in letter heights, a word may reach over a border that is not drawn. */
const REACH = 0.6;
/**
 * From this number of columns on, white at each border is stronger evidence than a blank between two words: a text of several words fills this many columns only by chance.
 */
const MANY = 4;

/**
 * Faint rules, or rules hidden by a fill, leave cells merged: such a cell is split again if every row or column that it spans has words.
 * A heading over several columns, or a group's name at several rows, fills one of them.
 */
export function partMergedCells(
  grid: GridTable,
  rows: readonly Separator[],
  columns: readonly Separator[],
  { close, tight }: Words,
  letterHeight: number,
): GridTable {
  const reach = REACH * letterHeight;
  const across = (cell: GridCell) =>
    isParted(cell, grid, columns, letterHeight)
      ? partsOf(cell, ACROSS, columns, cell.columnSpan < MANY ? close : tight, reach)
      : 'unfilled';
  const down = (cell: GridCell) => partsOf(cell, DOWN, rows, close, reach);
  const merged = grid.cells.filter((cell) => cell.columnSpan > 1).map((cell) => ({ cell, parts: across(cell) }));
  /** If print crosses a border in more rows than it avoids it, a header that avoids it does so by chance. */
  const isOneColumn = ({ column, columnSpan }: GridCell) => {
    const alike = merged.filter(({ cell }) => cell.column === column && cell.columnSpan === columnSpan);
    const isCrossed = ({ cell, parts }: (typeof alike)[number]) =>
      parts === 'crossed' || partsOf(cell, ACROSS, columns, tight, reach) === 'crossed';
    return alike.filter(isCrossed).length > alike.filter(({ parts }) => Array.isArray(parts)).length;
  };
  const cells = grid.cells
    .flatMap((cell) => {
      const parts = merged.find((each) => each.cell === cell)?.parts;
      return Array.isArray(parts) && !isOneColumn(cell) ? parts : [cell];
    })
    .flatMap((cell) => {
      const parts = cell.rowSpan > 1 && cell.columnSpan === 1 ? down(cell) : 'unfilled';
      return Array.isArray(parts) ? parts : [cell];
    });
  return { ...grid, cells };
}

/**
 * Whether every border that a cell spans is drawn in its part of the form, up to the next wider cells above and below: other parts have
 * different columns, whose borders cross its cells by chance.
 */
function isParted(
  cell: GridCell,
  { cells, top, bottom }: GridTable,
  columns: readonly Separator[],
  least: number,
): boolean {
  const end = cell.column + cell.columnSpan;
  const wider = cells.filter(
    ({ column, columnSpan }) => columnSpan > cell.columnSpan && column <= cell.column && column + columnSpan >= end,
  );
  const from = Math.max(top, ...wider.filter(({ row }) => row < cell.row).map((each) => each.bottom));
  const to = Math.min(bottom, ...wider.filter(({ row }) => row > cell.row).map((each) => each.top));
  const isDrawn = ({ pieces }: Separator) =>
    pieces === null || pieces.some((piece) => Math.min(piece.to, to) - Math.max(piece.from, from) > least);
  return columns.slice(cell.column + 1, end).every(isDrawn);
}

/** The cells that a cell falls into; or a word crosses one of its borders, or not all of them would have words. */
type Parts = GridCell[] | 'crossed' | 'unfilled';

/** Along one axis: which borders a cell lies between there, and where. */
interface Axis {
  readonly index: 'row' | 'column';
  readonly span: 'rowSpan' | 'columnSpan';
  readonly start: 'left' | 'top';
  readonly end: 'right' | 'bottom';
  /** Where on a border it is looked at. */
  readonly middle: (cell: GridCell) => number;
}

const ACROSS: Axis = {
  index: 'column',
  span: 'columnSpan',
  start: 'left',
  end: 'right',
  middle: ({ top, bottom }) => (top + bottom) / 2,
};
const DOWN: Axis = {
  index: 'row',
  span: 'rowSpan',
  start: 'top',
  end: 'bottom',
  middle: ({ left, right }) => (left + right) / 2,
};

function partsOf(
  cell: GridCell,
  { index, span, start, end, middle }: Axis,
  separators: readonly Separator[],
  words: readonly Word[],
  reach: number,
): Parts {
  const first = cell[index];
  const borders = separators.slice(first, first + cell[span] + 1).map((each) => positionAt(each, middle(cell)));
  const pieces = borders.slice(1).map((border, at): GridCell => {
    return { ...cell, [index]: first + at, [span]: 1, [start]: borders[at]!, [end]: border };
  });
  const inside = words.filter((word) => contains(cell, word));
  const crosses = inside.some((word) =>
    borders.slice(1, -1).some((at) => word[start] < at - reach && word[end] > at + reach),
  );
  if (crosses) return 'crossed';
  return pieces.every((piece) => inside.some((word) => contains(piece, word))) ? pieces : 'unfilled';
}
