import { partOf } from '../../reading/reading-parts.ts';
import type { ReadCell, ReadTable } from '../../reading/table-reader.ts';
import type { Print } from '../print.ts';

const DOSE = /^\d{1,6}(?:[.,]\d{1,6})?$/;
/** A number behind a cross, or behind a letter that a cross is read as. */
const TIMES = /^[×xX*]\s?\d{1,2}$/;
const CROSS = /^[×xX*]\s?/;
/** Cells that show it, of those with numbers. */
const MIN_ROWS = 2;
const MIN_SHARE = 0.8;
/** The part of half a cell that a print takes up there. */
const FILLED = 0.8;

/**
 * Prints in which a column of an insurer's notice, the dose above the times a day in one cell, `1.00` over `× 3`, is two columns side by side. The
 * cross tells the words over them apart, too.
 */
export function splitStackedDoses(prints: readonly Print[]): readonly Print[] {
  const tables = new Set(prints.map(({ table }) => table));
  return [...tables].reduce((parted, table) => (table ? splitIn(table, parted) : parted), prints);
}

function splitIn(table: ReadTable, prints: readonly Print[]): readonly Print[] {
  const alone = prints.filter((print) => print.table === table && print.cell?.columnSpan === 1);
  const columns = [...Map.groupBy(alone, ({ cell }) => cell!.column).values()];
  const column = columns.map((own) => [...Map.groupBy(own, ({ cell }) => cell!).values()]).find(areStacked);
  if (!column) return prints;
  const firstDose = column.findIndex(isStacked);
  // Words in two rows over the numbers are on one level then.
  const head = column.slice(0, firstDose).flat()[0];
  const halves = new Map(
    column.flatMap((cell, index) =>
      cell.map((print) => [print, halfOf(print, index < firstDose ? head! : cell[0]!)] as const),
    ),
  );
  return prints.map((print) => halves.get(print) ?? print);
}

function areStacked(cells: readonly (readonly Print[])[]): boolean {
  const numbers = cells.filter((cell) => cell.some(({ text }) => /^\d/.test(text) && !/\p{L}{2}/u.test(text)));
  const stacked = numbers.filter(isStacked).length;
  return stacked >= MIN_ROWS && stacked >= MIN_SHARE * numbers.length;
}

function isStacked(prints: readonly Print[]): boolean {
  const [dose, times, ...more] = prints;
  return more.length === 0 && DOSE.test(dose?.text ?? '') && TIMES.test(times?.text ?? '');
}

/** A print in the left half of its cell, or without its cross in the right one, as high as another. */
function halfOf(print: Print, level: Print): Print {
  const { x, width } = (print.cell as ReadCell).box;
  const isSecond = CROSS.test(print.text);
  const box = {
    x: x + (isSecond ? width / 2 : 0),
    y: level.box.y,
    width: (FILLED * width) / 2,
    height: level.box.height,
  };
  const own = { ...print, box, cell: null, line: null };
  if (!isSecond) return own;
  const reading = partOf(print, CROSS.exec(print.text)![0].length, print.text.length);
  return { ...own, ...reading, numeral: TIMES.test(print.text) ? reading : null };
}
