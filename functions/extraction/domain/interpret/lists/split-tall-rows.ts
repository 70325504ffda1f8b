import { joinReadings } from '../../reading/reading-parts.ts';
import type { ReadCell, ReadLine, ReadTable } from '../../reading/table-reader.ts';
import { showsCode } from '../codes/shows-code.ts';
import { centerY, linesOf } from '../print.ts';

/** Minimum cells, other than the codes', with as many lines: a name may wrap, but its numbers appear once. */
const MIN_CELLS_ALIKE = 2;

/**
 * If the rule between two rows was missed, their print is in one row, line by line: split into a row for each code. A table with all
 * drugs in such rows has no rules between them, and is read by the place of its print.
 */
export function splitTallRows(table: ReadTable): ReadTable {
  const rows = Array.from({ length: table.rowCount }, (_, row) => table.cells.filter((cell) => cell.row === row));
  const single = rows.filter((cells) =>
    cells.some((cell) => linesOf(cell).length === 1 && showsCode(linesOf(cell)[0]!)),
  );
  const row = rows.findIndex((cells) => (codesOfRow(cells)?.length ?? Number.POSITIVE_INFINITY) <= single.length);
  return row < 0 ? table : splitTallRows(splitRow(table, row, codesOfRow(rows[row]!)!));
}

/** The lines of a row's drugs, each with its code; null where a row prints one, or nothing but codes says that it prints several. */
function codesOfRow(cells: readonly ReadCell[]): readonly ReadLine[] | null {
  const inked = cells.filter(({ blank }) => !blank);
  const coded = inked.find(({ lines = [] }) => lines.length > 1 && lines.every(showsCode));
  if (!coded || inked.some(({ lines, rowSpan }) => !lines || rowSpan > 1)) return null;
  const alike = inked.filter((cell) => cell !== coded && cell.lines!.length === coded.lines!.length);
  return alike.length < MIN_CELLS_ALIKE ? null : coded.lines!;
}

function splitRow(table: ReadTable, row: number, codes: readonly ReadLine[]): ReadTable {
  const added = codes.length - 1;
  const cells = table.cells.flatMap((cell): readonly ReadCell[] => {
    if (cell.row > row) return [{ ...cell, row: cell.row + added }];
    if (cell.row === row) return codes.map((code, index) => partOfCell(cell, code, row + index, codes));
    return [cell.row + cell.rowSpan > row ? { ...cell, rowSpan: cell.rowSpan + added } : cell];
  });
  return { ...table, rowCount: table.rowCount + added, cells };
}

/** The part of a cell that is level with one of the codes, or closer to it than to the others. */
function partOfCell(cell: ReadCell, code: ReadLine, row: number, codes: readonly ReadLine[]): ReadCell {
  const lines = linesOf(cell).filter((line) => nearest(line, codes) === code);
  const numerals = lines.flatMap(({ numeral }) => numeral ?? []);
  return {
    ...cell,
    row,
    rowSpan: 1,
    box: { ...cell.box, y: code.box.y, height: code.box.height },
    blank: lines.length === 0,
    text: joinReadings(lines),
    numeral: numerals.length === 1 && lines.length === 1 ? numerals[0]! : null,
    lines,
  };
}

function nearest(line: ReadLine, codes: readonly ReadLine[]): ReadLine {
  const distance = (code: ReadLine) => Math.abs(centerY(code.box) - centerY(line.box));
  return codes.reduce((best, code) => (distance(code) < distance(best) ? code : best));
}
