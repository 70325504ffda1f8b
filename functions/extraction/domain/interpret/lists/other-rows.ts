import type { ReadCell, ReadTable } from '../../reading/table-reader.ts';
import { centerY, hullOf, isLevel, type Print } from '../print.ts';
import { gridRowOf, isAcross } from './grid-rows.ts';
import { type Column, isWithin } from './list-columns.ts';
import { type Line, linesOf } from './list-lines.ts';
import { ownCodeColumns, type Row } from './list-rows.ts';
import { labelledTotal } from './row-kinds.ts';

/** Rows of totals, by their labels, with the numbers level with each. @param lines with the print of all columns. */
export function totalRows(lines: readonly Line[], byColumn: ReadonlyMap<Column, readonly Print[]>): readonly Row[] {
  return lines.flatMap((line) => {
    if (labelledTotal(line.text) === null) return [];
    const numbers = [...byColumn].flatMap(([column, prints]) => {
      const own = prints.filter((print) => isLevel(print.box, line.box) && /\d/.test(print.text));
      return own.length > 0 ? [[column, linesOf(own)[0]!] as const] : [];
    });
    const label = line.parts.find(({ text }) => labelledTotal(text) !== null) ?? line;
    const gridRow = gridRowOf(line.parts);
    return [{ code: null, name: label, lines: [], box: line.box, cells: new Map(numbers), gridRow }];
  });
}

/** A list in the grid of its form. */
interface ListInGrid {
  readonly table: ReadTable;
  readonly names: readonly Column[];
  readonly others: readonly Column[];
  /** The prints below the header. */
  readonly prints: readonly Print[];
  /** Whether a height of the page is in one of the list's parts. */
  readonly reachTo: (y: number) => boolean;
}

/**
 * The rows of a list's grid that are none of its rows yet: titles, and lines that could not be read.
 */
export function otherRows(rows: readonly Row[], { table, names, others, prints, reachTo }: ListInGrid): readonly Row[] {
  const isOther = (y: number) => reachTo(y) && !rows.some(({ box }) => y > box.y && y < box.y + box.height);
  const known = new Set(rows.flatMap(gridRowsOf));
  // Balances below a list are not a line of it.
  const isBalance = (cell: ReadCell) => isAcross(cell, table) && /\d/.test(cell.text.text);
  const inked = table.cells.filter((cell) => {
    const { blank, rowSpan, row, box } = cell;
    return !blank && rowSpan === 1 && !known.has(row) && isOther(centerY(box)) && !isBalance(cell);
  });
  const codeColumns = ownCodeColumns(names);
  return [...Map.groupBy(inked, ({ row }) => row)].map(([gridRow, cells]): Row => {
    const own = prints.filter((print) => print.table === table && print.cell?.row === gridRow);
    const lineIn = (columns: readonly Column[]) =>
      linesOf(own.filter((print) => columns.some((column) => isWithin(column)(print))))[0] ?? null;
    const numbers = others.flatMap((column) => {
      const line = lineIn([column]);
      return line ? [[column, line] as const] : [];
    });
    const code = lineIn(codeColumns);
    return {
      code: code?.numeral ?? code,
      name: lineIn(names.filter((column) => !codeColumns.includes(column))),
      lines: [],
      box: hullOf(cells.map(({ box }) => box)),
      cells: new Map(numbers),
      gridRow,
    };
  });
}

/** Whether the rows of the form's grid are the list's: each drug starts in a separate one. */
export function areGridRows(rows: readonly Row[]): boolean {
  const first = rows.flatMap(({ lines }) => (lines.length > 0 ? [gridRowOf(lines[0]!.parts.slice(0, 1))] : []));
  return first.every((row) => row !== null) && new Set(first).size === first.length;
}

/** The rows of the grid that a row of the list takes print from. */
function gridRowsOf({ lines, cells, gridRow }: Row): readonly number[] {
  const rows = [gridRow, ...[...lines, ...cells.values()].map(({ parts }) => gridRowOf(parts))];
  return rows.filter((row) => row !== null);
}
