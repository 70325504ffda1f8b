import type { ReadCell, Reading, ReadTable } from '../../reading/table-reader.ts';
import { splitColumn } from './split-column.ts';

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
    if (cell === header) return sideBySide(cell, as(cell, '1회투약량'), as(cell, '1일투여횟수'), false);
    const given = dosesOf(cell);
    const [dose] = given;
    if (dose === undefined || given.some((other) => other !== dose)) return null;
    return sideBySide(cell, as(cell, dose), as(cell, String(given.length)), true);
  });
}

function dosesOf({ text: { text } }: ReadCell): readonly string[] {
  const doses = text.replace(/\s/g, '');
  return DOSES.test(doses) ? doses.split('-').filter((dose) => Number(dose) > 0) : [];
}

function as({ text }: ReadCell, own: string): Reading {
  return { text: own, confidence: text.confidence };
}

function sideBySide(cell: ReadCell, left: Reading, right: Reading, areNumbers: boolean): readonly [ReadCell, ReadCell] {
  const { lines: _, ...own } = cell;
  const half = (text: Reading, n: number): ReadCell => {
    const width = cell.box.width / 2;
    return { ...own, box: { ...cell.box, x: cell.box.x + n * width, width }, text, numeral: areNumbers ? text : null };
  };
  return [half(left, 0), half(right, 1)];
}
