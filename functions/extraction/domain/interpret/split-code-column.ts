import { partOf } from '../reading/reading-parts.ts';
import type { ReadCell, ReadTable } from '../reading/table-reader.ts';

/** A code, perhaps behind a serial number or in brackets, and the name right after it. */
const CODE_AND_NAME = /^(?:\d{1,3}(?:\s+|[.)]\s?))?[([]?(\d{13}|\d{9}|\d{8})[)\]]?[\s.:/_-]*(?=[^\d\s])(.+)/ds;
const MIN_CELLS = 3;
const MIN_SHARE = 0.5;

/**
 * Where nothing but a narrow blank parts codes and names, a reader may take them for one column. Their form tells them
 * apart: the column is split, and the table is as if it had been read so.
 */
export function splitCodeColumn(table: ReadTable): ReadTable {
  const column = findMergedColumn(table);
  if (column === null) return table;
  const cells = table.cells.flatMap((cell): readonly ReadCell[] => {
    if (cell.column > column) return [{ ...cell, column: cell.column + 1 }];
    if (cell.column + cell.columnSpan <= column) return [cell];
    const parts = cell.column === column && cell.columnSpan === 1 ? CODE_AND_NAME.exec(cell.text.text) : null;
    return parts ? splitCell(cell, parts.indices!) : [{ ...cell, columnSpan: cell.columnSpan + 1 }];
  });
  return { ...table, columnCount: table.columnCount + 1, cells };
}

function findMergedColumn(table: ReadTable): number | null {
  for (let column = 0; column < table.columnCount; column++) {
    const inked = table.cells.filter((cell) => cell.column === column && cell.columnSpan === 1 && !cell.blank);
    const merged = inked.filter(({ text }) => CODE_AND_NAME.test(text.text));
    if (merged.length >= MIN_CELLS && merged.length >= inked.length * MIN_SHARE) return column;
  }
  return null;
}

function splitCell(cell: ReadCell, [, codeAt, nameAt]: RegExpIndicesArray): readonly ReadCell[] {
  const { box, text } = cell;
  const code = partOf(text, ...codeAt!);
  const codeWidth = (box.width * code.text.length) / text.text.length;
  return [
    { ...cell, box: { ...box, width: codeWidth }, text: code, numeral: code },
    {
      ...cell,
      column: cell.column + 1,
      box: { ...box, x: box.x + codeWidth, width: box.width - codeWidth },
      text: partOf(text, ...nameAt!),
      numeral: null,
    },
  ];
}
