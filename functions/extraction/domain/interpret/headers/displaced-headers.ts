import { medianOf } from '../../median.ts';
import type { ReadCell } from '../../reading/table-reader.ts';
import { type ColumnEvidence, MIN_NUMERIC_SHARE } from '../columns/column-evidence.ts';
import type { Grid } from '../grid.ts';
import { centerX, hullOf } from '../print.ts';
import { isMiddle } from './header-words.ts';

/** The row of the header. */
const HEADER = 0;
/** Of the fuller neighbour's: a column that only few lines have is another grid's. */
const MIN_INK = 0.7;

/** Letters over the neighbour that are a piece of the header, read apart from it. */
const MAX_PIECE = 2;

/**
 * Centred header words over right-aligned numbers and left-aligned names may be so far from them that each was taken for a separate
 * column: a header over nothing goes to the nearer neighbour without a header.
 */
export function withDisplacedHeaders(
  columns: readonly ColumnEvidence[],
  grid: Grid,
  lineRows: readonly number[],
): readonly ColumnEvidence[] {
  const moved = new Map<ColumnEvidence, ColumnEvidence>();
  for (const [index, empty] of columns.entries()) {
    const at = centerOf(grid, [HEADER], empty.column);
    if (!empty.header || empty.inkShare > 0 || at === null) continue;
    const distance = ({ column }: ColumnEvidence) => Math.abs((centerOf(grid, lineRows, column) ?? Infinity) - at);
    const hasInk = ({ inkShare }: ColumnEvidence) => inkShare > 0;
    const beside = [columns.slice(0, index).findLast(hasInk), columns.slice(index + 1).find(hasInk)]
      .filter((each) => each !== undefined)
      .filter((each) => {
        const over = textIn(grid, HEADER, each.column);
        return (mayTake(each, empty) && over.length <= MAX_PIECE) || isPieceOf(over, each, empty);
      });
    const most = Math.max(...beside.map(({ inkShare }) => inkShare));
    const [nearest] = beside
      .filter(({ inkShare }) => inkShare > MIN_INK * most)
      .sort((a, b) => distance(a) - distance(b));
    if (nearest && !moved.has(nearest)) moved.set(nearest, { ...nearest, header: empty.header, hints: new Map() });
    if (nearest) moved.set(empty, { ...empty, header: null });
  }
  return columns.map((column) => moved.get(column) ?? column);
}

/** Directions that the sheet leaves out do not head numbers. */
function mayTake({ header, numericShare }: ColumnEvidence, { header: displaced }: ColumnEvidence): boolean {
  return header === null && !(displaced?.kind === 'other' && numericShare > MIN_NUMERIC_SHARE);
}

/** Whether a word over a column, which heads one by itself, is rather the start of the displaced header: 투여 over 1회투여량. */
function isPieceOf(over: string, { header }: ColumnEvidence, { header: displaced }: ColumnEvidence): boolean {
  return header?.kind === 'other' && displaced?.kind === 'quantity' && isMiddle(over);
}

/** The text of a column's cell, without blanks. */
function textIn(grid: Grid, row: number, column: number): string {
  return grid.at(row, column)?.text.text.replace(/\s/g, '') ?? '';
}

/** Horizontal centre of a column's print; null if these rows have none. */
function centerOf(grid: Grid, rows: readonly number[], column: number): number | null {
  const cells = rows.flatMap((row) => grid.at(row, column) ?? []).filter(({ blank }) => !blank);
  return cells.length === 0 ? null : medianOf(cells.map((cell) => centerX(inkOf(cell))));
}

function inkOf({ box, lines = [] }: ReadCell) {
  return lines.length === 0 ? box : hullOf(lines.map((line) => line.box));
}
