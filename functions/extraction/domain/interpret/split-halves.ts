import type { ReadCell, ReadTable } from '../reading/table-reader.ts';
import type { Template } from '../reading/template.ts';
import { type ColumnKind, matchHeader } from './header-words.ts';
import { hullOf } from './print.ts';

const NAMES: ReadonlySet<ColumnKind> = new Set(['drugName', 'drugCode']);
const NUMBERS: ReadonlySet<ColumnKind> = new Set(['quantity', 'timesPerDay', 'days', 'prescribedQty']);

/**
 * A list may run down the left half of its table and go on in the right one, below the same header words again: then the halves are tables of
 * their own, one after the other.
 */
export function splitHalves(table: ReadTable, template: Template): readonly ReadTable[] {
  for (let row = 0; row < table.rowCount; row++) {
    const border = borderOf(table, row, template);
    if (border !== null) return halvesAt(table, border);
  }
  return [table];
}

/** The first column of the right half; null where a row does not announce names and numbers twice. */
function borderOf(table: ReadTable, row: number, template: Template): number | null {
  const cells = table.cells.filter((cell) => cell.row === row && !cell.blank).sort((a, b) => a.column - b.column);
  const kinds = cells.map((cell) => matchHeader(cell.text.text, template)?.kind ?? null);
  const isOf = (set: ReadonlySet<ColumnKind>) => (kind: ColumnKind | null) => kind !== null && set.has(kind);
  const number = kinds.findIndex(isOf(NUMBERS));
  const again = kinds.findIndex((kind, index) => index > number && isOf(NAMES)(kind));
  if (number < 0 || again < 0 || !kinds.slice(0, number).some(isOf(NAMES))) return null;
  const last = kinds.slice(0, again).findLastIndex(isOf(NUMBERS));
  const [left, right] = [kinds.slice(number, last + 1), kinds.slice(again)].map((half) =>
    half.filter(isOf(NUMBERS)).join(),
  );
  if (left !== right) return null;
  const { column, columnSpan } = cells[last]!;
  return column + columnSpan;
}

function halvesAt(table: ReadTable, border: number): readonly ReadTable[] {
  const left = table.cells.filter(({ column }) => column < border);
  const right = table.cells.filter(({ column }) => column >= border);
  const half = (cells: readonly ReadCell[], columnCount: number): ReadTable => {
    return { ...table, columnCount, cells, box: hullOf(cells.map(({ box }) => box)) };
  };
  return [
    half(
      left.map((cell) => ({ ...cell, columnSpan: Math.min(cell.columnSpan, border - cell.column) })),
      border,
    ),
    half(
      right.map((cell) => ({ ...cell, column: cell.column - border })),
      table.columnCount - border,
    ),
  ];
}
