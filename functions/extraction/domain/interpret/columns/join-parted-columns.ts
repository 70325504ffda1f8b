import { range } from '../../range.ts';
import type { ReadCell, ReadTable } from '../../reading/table-reader.ts';
import type { Template } from '../../reading/template.ts';
import { NUMERIC_FIELDS } from '../../sheet-arithmetic.ts';
import { Grid } from '../grid.ts';
import { matchHeader } from '../headers/header-words.ts';
import { headerRows } from '../lists/row-kinds.ts';
import { looksNumeric } from '../numbers/cell-values.ts';
import { doubted } from '../numbers/split-numbers.ts';
import { hullOf } from '../print.ts';

const FIELDS: ReadonlySet<string> = new Set(NUMERIC_FIELDS);
/** Minimum rows of evidence, and the share of rows in which both halves may hold digits of a number that the border cuts. */
const MIN_ROWS = 3;
const MAX_CUT = 0.2;

/**
 * Numbers of different length under one header may have been taken for two columns, 0.3333 for one and 1 for the next, where no rule parts
 * columns: one of them has a header, and hardly a row has both.
 */
export function joinPartedColumns(table: ReadTable, template: Template): ReadTable {
  const grid = new Grid(table);
  const header = headerRows(grid, template);
  const first = (header.at(-1) ?? -1) + 1;
  if (first === 0) return table;
  const isHeaded = (column: number) => header.some((row) => grid.covering(row, column)?.blank === false);
  const isNumberHeader = (column: number) =>
    header.some((row) => FIELDS.has(matchHeader(grid.at(row, column)?.text.text ?? '', template)?.kind ?? ''));
  const bodyOf = (column: number) =>
    range(first, grid.rowCount)
      .flatMap((row) => grid.at(row, column) ?? [])
      .filter(({ blank }) => !blank);
  for (let column = 0; column + 1 < grid.columnCount; column++) {
    const [headed, other] = isHeaded(column) ? [column, column + 1] : [column + 1, column];
    if (!isHeaded(headed) || isHeaded(other) || !isNumberHeader(headed)) continue;
    if (areHalves(bodyOf(headed), bodyOf(other))) return joinPartedColumns(joined(table, column), template);
  }
  return table;
}

function areHalves(a: readonly ReadCell[], b: readonly ReadCell[]): boolean {
  const rows = new Set([...a, ...b].map(({ row }) => row));
  const cut = a.length + b.length - rows.size;
  const isNumber = (cell: ReadCell) => cell.columnSpan === 1 && looksNumeric(cell);
  return (
    a.length > 0 && b.length > 0 && rows.size >= MIN_ROWS && cut <= MAX_CUT * rows.size && [...a, ...b].every(isNumber)
  );
}

/** A table whose columns `left` and the next are one. */
function joined(table: ReadTable, left: number): ReadTable {
  const inRow = (row: number, column: number) => table.cells.find((cell) => cell.row === row && cell.column === column);
  const cells = table.cells.flatMap((cell): readonly ReadCell[] => {
    if (cell.column > left + 1) return [{ ...cell, column: cell.column - 1 }];
    if (cell.column + cell.columnSpan <= left) return [cell];
    if (cell.columnSpan > 1) return [{ ...cell, columnSpan: cell.columnSpan - 1 }];
    const other = inRow(cell.row, cell.column === left ? left + 1 : left);
    if (!other) return [{ ...cell, column: left }];
    const [a, b] = cell.column === left ? [cell, other] : [other, cell];
    if (cell !== (b.blank ? a : b)) return [];
    const box = hullOf([a.box, b.box]);
    if (a.blank || b.blank) return [{ ...cell, column: left, box }];
    return [{ ...doubted(a), column: left, box }];
  });
  return { ...table, columnCount: table.columnCount - 1, cells };
}
