import type { ReadTable } from '../../reading/table-reader.ts';
import { centerX, type Print } from '../print.ts';

/**
 * The prints of a grid as if its columns ran straight down from the header's row: where paper bends, or a header's blanks are not those of the
 * lines, a column starts elsewhere in each row.
 * @param rows those of the header.
 */
export function straightened(prints: readonly Print[], table: ReadTable, rows: ReadonlySet<number>): readonly Print[] {
  const heads = new Map(
    table.cells
      .filter(({ row, columnSpan }) => rows.has(row) && columnSpan === 1)
      .map(({ column, box }) => [column, box]),
  );
  return prints.map((print) => {
    const { cell, box } = print;
    const head = print.table === table && cell?.columnSpan === 1 ? heads.get(cell.column) : undefined;
    if (head === undefined || rows.has(cell!.row)) return print;
    const middle = head.x + (head.width * (centerX(box) - cell!.box.x)) / cell!.box.width;
    return { ...print, box: { ...box, x: middle - box.width / 2 } };
  });
}
