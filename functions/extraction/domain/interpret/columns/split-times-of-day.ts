import type { ReadCell, ReadTable } from '../../reading/table-reader.ts';
import { sideBySide, splitColumn } from './split-column.ts';

/** Over a column of doses for each time of the day: `아침-점심-저녁`, perhaps with 자기전. */
const HEADER = /아침.{0,3}점심.{0,3}저녁/;
/** How much at each of them: `1-0-1`. */
const DOSES = /^\d{1,2}(?:\.\d{1,2})?(?:-\d{1,2}(?:\.\d{1,2})?){2,3}$/;

/** Wards print the doses of a day in one column, `1-0-1`: the dose and the times a day, as if read so, where all doses are the same. */
export function splitTimesOfDay(table: ReadTable): ReadTable {
  const header = table.cells.find(({ columnSpan, text }) => columnSpan === 1 && HEADER.test(text.text));
  if (!header) return table;
  return splitColumn(table, header.column, (cell) => {
    if (cell.columnSpan > 1) return null;
    if (cell === header) return pairOf(cell, ['1회투약량', '1일투여횟수'], false);
    const given = dosesOf(cell);
    const [dose] = given;
    if (dose === undefined || given.some((other) => other !== dose)) return null;
    return pairOf(cell, [dose, String(given.length)], true);
  });
}

function dosesOf({ text: { text } }: ReadCell): readonly string[] {
  const doses = text.replace(/\s/g, '');
  return DOSES.test(doses) ? doses.split('-').filter((dose) => Number(dose) > 0) : [];
}

function pairOf(cell: ReadCell, texts: readonly [string, string], areNumbers: boolean): readonly [ReadCell, ReadCell] {
  const read = texts.map((text) => ({ text, confidence: cell.text.confidence }));
  const [left, right] = sideBySide(cell, read, areNumbers ? read : null);
  return [left!, right!];
}
