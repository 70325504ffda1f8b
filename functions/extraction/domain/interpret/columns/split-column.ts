import type { ReadCell, Reading, ReadTable } from '../../reading/table-reader.ts';

/** Cells side by side in place of one, in this column and the next; null for a cell that reaches over both. */
export type CellSplit = (cell: ReadCell) => readonly [ReadCell, ReadCell] | null;

/** A table with one column split in two: cells to its right move on, those across it reach over both. */
export function splitColumn(table: ReadTable, column: number, split: CellSplit): ReadTable {
  const cells = table.cells.flatMap((cell): readonly ReadCell[] => {
    if (cell.column > column) return [{ ...cell, column: cell.column + 1 }];
    if (cell.column + cell.columnSpan <= column) return [cell];
    const parts = cell.column === column ? split(cell) : null;
    if (!parts) return [{ ...cell, columnSpan: cell.columnSpan + 1 }];
    const [left, right] = parts;
    return [left, { ...right, column: column + 1 }];
  });
  return { ...table, columnCount: table.columnCount + 1, cells };
}

/** Cells of equal width in place of one: the exact place of each part of its text is unknown. */
export function sideBySide(
  whole: ReadCell,
  texts: readonly Reading[],
  numerals: readonly Reading[] | null,
): readonly ReadCell[] {
  const { lines: _, ...cell } = whole;
  const width = cell.box.width / texts.length;
  return texts.map((text, index) => ({
    ...cell,
    column: cell.column + index,
    columnSpan: 1,
    box: { ...cell.box, x: cell.box.x + index * width, width },
    text,
    numeral: numerals?.[index] ?? null,
  }));
}
