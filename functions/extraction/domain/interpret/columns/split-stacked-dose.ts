import { joinReadings, partOf } from '../../reading/reading-parts.ts';
import type { ReadCell, ReadLine, ReadTable } from '../../reading/table-reader.ts';
import { linesOf } from '../print.ts';
import { splitColumn } from './split-column.ts';

const DOSE = /^\d{1,6}(?:[.,]\d{1,6})?$/;
/** A number behind a cross, or behind a letter that a cross is read as. */
const TIMES = /^[×xX*]\s?\d{1,2}$/;
const CROSS = /^[×xX*]\s?/;
/** Cells that show it, of those with numbers. */
const MIN_ROWS = 2;
const MIN_SHARE = 0.8;

/** Notices of an insurer's review print the dose above the times a day in one cell, `1.00` over `× 3`: two columns, as if read so. */
export function splitStackedDose(table: ReadTable): ReadTable {
  const column = stackedColumn(table);
  if (column === null) return table;
  return splitColumn(table, column, (cell) => (cell.columnSpan > 1 ? null : splitCell(cell)));
}

function stackedColumn({ cells, columnCount }: ReadTable): number | null {
  for (let column = 0; column < columnCount; column++) {
    const own = cells.filter((cell) => cell.column === column && cell.columnSpan === 1);
    const numbers = own.filter(({ text }) => /^\d/.test(text.text) && !/\p{L}{2}/u.test(text.text));
    const stacked = numbers.filter(isStacked).length;
    if (stacked >= MIN_ROWS && stacked >= MIN_SHARE * numbers.length) return column;
  }
  return null;
}

function isStacked({ lines = [] }: ReadCell): boolean {
  const [dose, times, ...more] = lines;
  return more.length === 0 && DOSE.test(dose?.text ?? '') && TIMES.test(times?.text ?? '');
}

/** Numbers side by side; words over them by the cross that begins those of the second. */
function splitCell(cell: ReadCell): readonly [ReadCell, ReadCell] {
  const lines = linesOf(cell);
  const first = lines.findIndex(({ text }) => CROSS.test(text));
  const at = first < 0 ? lines.length : first;
  return [ofLines(cell, lines.slice(0, at)), ofLines(cell, lines.slice(at).map(withoutCross))];
}

function withoutCross(line: ReadLine): ReadLine {
  const { pieces: _, ...whole } = line;
  const reading = partOf(line, CROSS.exec(line.text)?.[0].length ?? 0, line.text.length);
  return { ...whole, ...reading, numeral: TIMES.test(line.text) ? reading : null };
}

function ofLines(cell: ReadCell, lines: readonly ReadLine[]): ReadCell {
  const numeral = lines.length === 1 ? lines[0]!.numeral : null;
  return { ...cell, blank: cell.blank || lines.length === 0, text: joinReadings(lines), numeral, lines };
}
