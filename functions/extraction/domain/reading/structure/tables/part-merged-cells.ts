import { contains, type GridCell, type GridTable, positionAt, type Separator } from './grid.ts';
import type { Word, Words } from './words.ts';

/** How far, in letter heights, a word may reach over a border that is not drawn. */
const REACH = 0.6;
/** The same for a line of print that is centred on a border between two rows. */
const LINE_REACH = 0.3;
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
  const down = (cell: GridCell) => partsOf(cell, DOWN, rows, close, LINE_REACH * letterHeight);
  const wide = parted(
    grid.cells.filter(({ columnSpan }) => columnSpan > 1),
    ACROSS,
    across,
    (cell) => partsOf(cell, ACROSS, columns, tight, reach) === 'crossed',
  );
  const cells = grid.cells.flatMap((cell) => wide.get(cell) ?? [cell]);
  const tall = parted(
    cells.filter(({ rowSpan, columnSpan }) => rowSpan > 1 && columnSpan === 1),
    DOWN,
    down,
  );
  return { ...grid, cells: cells.flatMap((cell) => tall.get(cell) ?? [cell]) };
}

/**
 * The parts of those merged cells that fall into several. If print crosses a border in more cells alike than it avoids it, the others avoid it by
 * chance: the print of a header, or the two lines of a name.
 * @param isAlsoCrossed though its parts do not say so.
 */
function parted(
  merged: readonly GridCell[],
  { index, span }: Axis,
  partsIn: (cell: GridCell) => Parts,
  isAlsoCrossed: (cell: GridCell) => boolean = () => false,
): ReadonlyMap<GridCell, readonly GridCell[]> {
  const found = merged.map((cell) => ({ cell, parts: partsIn(cell) }));
  const isOne = (cell: GridCell) => {
    const alike = found.filter((other) => other.cell[index] === cell[index] && other.cell[span] === cell[span]);
    const crossed = alike.filter((other) => other.parts === 'crossed' || isAlsoCrossed(other.cell)).length;
    return crossed > alike.filter(({ parts }) => Array.isArray(parts)).length;
  };
  return new Map(
    found.flatMap(({ cell, parts }) => (Array.isArray(parts) && !isOne(cell) ? [[cell, parts] as const] : [])),
  );
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

/** Along one axis: which borders a cell is between there, and where. */
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
