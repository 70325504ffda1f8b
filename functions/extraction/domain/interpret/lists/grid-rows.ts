import type { ReadCell, ReadTable } from '../../reading/table-reader.ts';
import type { Print } from '../print.ts';
import { type Column, isIn } from './list-columns.ts';

/** The only row of the form's grid that all prints are in; null where they are in several, or in a cell that is as high as several. */
export function gridRowOf(prints: readonly Print[]): number | null {
  const rows = new Set(prints.map(({ cell }) => (cell && cell.rowSpan === 1 ? cell.row : null)));
  const [row] = rows;
  return rows.size === 1 ? (row ?? null) : null;
}

/**
 * The rows of the form's grid that the cells of all prints span, `3` or `3+2`; null where they span different ones. A rule in the directions
 * alone makes two rows of a drug's one.
 */
export function spannedRowsOf(prints: readonly Print[]): string | null {
  const rows = new Set(
    prints.map(({ cell }) => cell && (cell.rowSpan === 1 ? `${cell.row}` : `${cell.row}+${cell.rowSpan}`)),
  );
  const [row] = rows;
  return rows.size === 1 ? (row ?? null) : null;
}

/** Whether a column of one of the grid's rows holds ink that could not be read. */
export function isUnread({ cells }: ReadTable, gridRow: number, column: Column): boolean {
  return cells.some(
    ({ row, rowSpan, columnSpan, blank, text, box }) =>
      row === gridRow && rowSpan === 1 && columnSpan === 1 && !blank && text.text === '' && isIn(column, box),
  );
}

/** Whether a cell reaches over all columns of its table: it holds a title, or balances below the list. */
export function isAcross(cell: ReadCell | null, table: ReadTable | null): boolean {
  return cell !== null && table !== null && table.columnCount > 1 && cell.columnSpan === table.columnCount;
}
