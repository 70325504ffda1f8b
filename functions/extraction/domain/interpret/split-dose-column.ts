import { partOf } from '../reading/reading-parts.ts';
import type { ReadCell, ReadTable } from '../reading/table-reader.ts';
import type { Template } from '../reading/template.ts';
import { type ColumnKind, matchHeader } from './header-words.ts';

/** What parts the three: a mark, or a letter that a cross is read as. */
const MARK = /[/×*·|xX]/g;
const NUMBER = /^\d{1,6}(?:[.,]\d{1,6})?(?=\s?\p{L}{0,3}$)/u;
const DOSE: readonly ColumnKind[] = ['quantity', 'timesPerDay', 'days'];
/** Of the cells below the header. */
const MIN_SHARE = 0.5;

/** Some forms print dose, times a day and days in one column, `1회량/횟수/일수` over `1.00 / 3 / 7`: three columns, as if read so. */
export function splitDoseColumn(table: ReadTable, template: Template): ReadTable {
  const header = table.cells.find((cell) => cell.columnSpan === 1 && isDoseHeader(cell.text.text, template));
  if (!header) return table;
  const { column } = header;
  const below = table.cells.filter((cell) => cell.column === column && cell.row > header.row && !cell.blank);
  const doses = new Set(below.filter(({ text, columnSpan }) => columnSpan === 1 && numbersOf(text.text) !== null));
  if (doses.size === 0 || doses.size < MIN_SHARE * below.length) return table;
  const cells = table.cells.flatMap((cell): readonly ReadCell[] => {
    if (cell.column > column) return [{ ...cell, column: cell.column + 2 }];
    if (cell === header) return splitCell(cell, partsOf(cell.text.text)!);
    if (doses.has(cell)) return splitCell(cell, numbersOf(cell.text.text)!);
    return cell.column + cell.columnSpan > column ? [{ ...cell, columnSpan: cell.columnSpan + 2 }] : [cell];
  });
  return { ...table, columnCount: table.columnCount + 2, cells };
}

/** From where to where a part of a text stands, without blanks. */
type Stretch = readonly [from: number, to: number];

/** The three parts of a text between two marks; null where there are more or fewer. */
function partsOf(text: string): readonly Stretch[] | null {
  const marks = [...text.matchAll(MARK)].map(({ index }) => index);
  if (marks.length !== DOSE.length - 1) return null;
  const ends = [...marks, text.length];
  const parts = ends.map((to, index): Stretch => {
    const part = text.slice((marks[index - 1] ?? -1) + 1, to);
    const from = to - part.trimStart().length;
    return [from, from + part.trim().length];
  });
  return parts.every(([from, to]) => from < to) ? parts : null;
}

/** The numbers of a dose, without their units. */
function numbersOf(text: string): readonly Stretch[] | null {
  const numbers = partsOf(text)?.map(([from, to]): Stretch | null => {
    const number = NUMBER.exec(text.slice(from, to));
    return number && [from, from + number[0].length];
  });
  return numbers?.every((number) => number !== null) ? numbers : null;
}

function isDoseHeader(text: string, template: Template): boolean {
  const words = partsOf(text) ?? [];
  return (
    words.length > 0 && words.every(([from, to], n) => matchHeader(text.slice(from, to), template)?.kind === DOSE[n])
  );
}

/** Its three parts side by side, each a third as wide: where exactly it stands is not known. */
function splitCell(cell: ReadCell, parts: readonly Stretch[]): readonly ReadCell[] {
  const width = cell.box.width / parts.length;
  const { lines: _, ...whole } = cell;
  return parts.map(([from, to], index) => {
    const part = partOf(cell.text, from, to);
    const box = { ...cell.box, x: cell.box.x + index * width, width };
    return { ...whole, column: cell.column + index, box, text: part, numeral: part };
  });
}
