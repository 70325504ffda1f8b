import type { DrugLine } from '../drug-line.ts';
import type { ReadCell } from '../reading/table-reader.ts';
import type { TableField } from '../reading/template.ts';
import type { ColumnAssignment } from './columns/assign-columns.ts';
import { dosesOnBorder } from './columns/doses-in-names.ts';
import type { Grid } from './grid.ts';
import { nameReader } from './names/name-reader.ts';
import { codeField } from './numbers/cell-values.ts';
import { type NumberColumns, numberReader } from './numbers/number-reader.ts';

/** Reads the lines of a list, each as the others of its columns are written. */
export function lineReader(
  grid: Grid,
  columns: ColumnAssignment,
  lineRows: readonly number[],
  page: Pick<NumberColumns, 'dailyColumn' | 'isDrawn'>,
): (row: number) => DrugLine {
  const mayBeNegative = columns.has('unitPrice') || columns.has('totalAmount') || columns.has('prescribedQty');
  const onBorder = mayBeNegative ? null : dosesOnBorder(grid, columns, lineRows);
  const cellOf = (row: number, field: TableField): ReadCell | undefined => {
    const column = columns.get(field);
    if (column === undefined) return undefined;
    const moved = onBorder?.get(row);
    return moved && (field === 'drugName' || field === 'quantity') ? moved[field] : grid.at(row, column);
  };
  const has = (field: TableField) => columns.has(field);
  const nameOf = nameReader(grid, columns, lineRows, cellOf);
  const numbersOf = numberReader({ grid, lineRows, has, cellOf, mayBeNegative, ...page });
  return (row) => ({ drugCode: codeField(cellOf(row, 'drugCode')), ...nameOf(row), ...numbersOf(row), row });
}
