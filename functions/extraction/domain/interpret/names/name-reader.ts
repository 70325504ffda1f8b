import type { DrugLine } from '../../drug-line.ts';
import type { ReadCell } from '../../reading/table-reader.ts';
import type { TableField } from '../../reading/template.ts';
import type { ColumnAssignment } from '../columns/assign-columns.ts';
import type { Grid } from '../grid.ts';
import { withoutListNumbers } from '../lists/list-numbers.ts';
import { textField } from '../numbers/cell-values.ts';
import { withoutStrayMarks } from './drug-names.ts';
import { endsBeforeOthers, fillsColumn, goesOnIn, nameEndOf } from './name-end.ts';

/** Maximum share of rows filled in a false column. */
const MAX_SPARSE = 0.3;

type ReadName = Pick<DrugLine, 'drugName' | 'nameFillsColumn' | 'nameHasRoom' | 'nameEnd'>;

/** Reads the names of a list: what they say depends on how its other lines print theirs. */
export function nameReader(
  grid: Grid,
  columns: ColumnAssignment,
  lineRows: readonly number[],
  cellOf: (row: number, field: TableField) => ReadCell | undefined,
): (row: number) => ReadName {
  // If names wrap, a full line may be the first of two.
  const wraps = lineRows.some((row) => (cellOf(row, 'drugName')?.lines?.length ?? 0) > 1);
  const fields = new Set(columns.values());
  // A column filled in few rows is false: a border was seen at the end of a long name.
  const isSparse = (column: number) =>
    lineRows.filter((row) => grid.at(row, column)?.blank === false).length <= Math.max(1, MAX_SPARSE * lineRows.length);
  const besideName = (row: number, cell: ReadCell | undefined): ReadCell | undefined => {
    const next = cell ? cell.column + cell.columnSpan : grid.columnCount;
    return next < grid.columnCount && !fields.has(next) && isSparse(next) ? grid.at(row, next) : undefined;
  };
  const names = withoutListNumbers(lineRows.map((row) => cellOf(row, 'drugName')?.text ?? null));
  const unnumbered = new Map(lineRows.map((row, index) => [row, names[index]] as const));
  const nameCellOf = (row: number): ReadCell | undefined => {
    const cell = cellOf(row, 'drugName');
    return cell && { ...cell, text: unnumbered.get(row) ?? cell.text };
  };
  return (row) => {
    const cell = nameCellOf(row);
    const printed = textField(cell);
    const drugName = withoutStrayMarks(printed);
    const isMarked = printed.value?.endsWith(drugName.value ?? '') === false || goesOnIn(cell, besideName(row, cell));
    const nameEnd = wraps ? null : nameEndOf(cell, isMarked);
    return {
      drugName,
      nameFillsColumn: !wraps && fillsColumn(cell),
      // If others wrap, a name that fills its only line would, too.
      nameHasRoom: endsBeforeOthers(cell) || (wraps && cell?.lines?.length === 1),
      ...(nameEnd && { nameEnd }),
    };
  };
}
