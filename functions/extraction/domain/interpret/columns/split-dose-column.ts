import { doubtedReading, joinReadings } from '../../reading/reading-parts.ts';
import type { ReadCell, Reading, ReadTable, ReadText } from '../../reading/table-reader.ts';
import type { Template } from '../../reading/template.ts';
import { splitCodeAndName } from '../codes/code-and-name.ts';
import { areDoses, doseNumbers, doseWords, isLikeDose, joinedAcross, unreadNumber } from '../doses/combined-dose.ts';
import { areDigits, hullOf, linesOf } from '../print.ts';
import { sideBySide } from './split-column.ts';

/** Maximum rows of the grid for one header's lines. */
const MAX_HEADER_ROWS = 3;
const PARTS = 3;

/** The header over a column of doses, which may span several columns and rows of the grid. */
interface DoseHeader {
  readonly words: readonly string[];
  readonly cells: readonly ReadCell[];
  /** The columns from `from` up to, not including, `to`. */
  readonly from: number;
  readonly to: number;
  /** Whether its words could not be read, so that the numbers below it decide. */
  readonly isUnread?: true;
}

/** Some forms print dose, times a day and days in one column, `1회량/횟수/일수` over `1.00 / 3 / 7`: three columns, as if read so. */
export function splitDoseColumn(table: ReadTable, template: Template): ReadTable {
  const header = doseHeader(table, template) ?? unreadHeader(table);
  if (!header) return table;
  const { from, to } = header;
  const lastRow = Math.max(...header.cells.map(({ row, rowSpan }) => row + rowSpan - 1));
  const isInside = (cell: ReadCell) => cell.column >= from && cell.column + cell.columnSpan <= to;
  const below = table.cells.filter((cell) => isInside(cell) && cell.row > lastRow);
  const rows = [...new Set(below.map(({ row }) => row))].map((row) => below.filter((cell) => cell.row === row));
  const split = rows.map((cells) => ({ cells, ...dosesInRow(cells) }));
  const read = split.filter(({ numbers }) => numbers !== null);
  const unread = split.filter(({ whole, numbers }) => numbers === null && isLikeDose(whole.text.text));
  if (!areDoses(read.length, unread.length)) return table;
  const added = from + PARTS - to;
  const others = table.cells.flatMap((cell): readonly ReadCell[] => {
    if (header.cells.includes(cell) || below.includes(cell)) return [];
    if (cell.column >= to) return [{ ...cell, column: cell.column + added }];
    const end = cell.column + cell.columnSpan;
    if (end <= from) return [cell];
    const column = Math.min(cell.column, from);
    const newEnd = end >= to ? end + added : cell.column < from ? from : from + PARTS;
    return [{ ...cell, column, columnSpan: newEnd - column }];
  });
  const doses = split.flatMap(({ cells, whole, numbers }) => {
    if (numbers) {
      const shown = header.isUnread ? numbers.map(doubtedReading) : numbers;
      return inThirds(whole, cells, from, shown, shown);
    }
    if (isDoubtful(whole))
      return inThirds(whole, cells, from, new Array<Reading>(PARTS).fill(unreadNumber(whole.text)), null);
    // An entry that is not a dose is not a number.
    const text = areDigits(whole.text.text) ? unreadNumber(whole.text) : whole.text;
    return [{ ...whole, column: from, columnSpan: PARTS, text, numeral: null }];
  });
  const [first] = header.cells;
  const head = { ...first!, rowSpan: lastRow - first!.row + 1 };
  const words = header.words.map((text) => ({ text, confidence: first!.text.confidence }));
  const cells = [...others, ...inThirds(head, header.cells, from, words, null), ...doses];
  return {
    ...table,
    columnCount: table.columnCount + added,
    cells: cells.sort((a, b) => a.row - b.row || a.column - b.column),
  };
}

function doseHeader({ cells }: ReadTable, template: Template): DoseHeader | null {
  for (const first of cells) {
    const { column, columnSpan } = first;
    const own = [first];
    while (!own.at(-1)!.blank) {
      const words = doseWords(
        own.flatMap(linesOf).map(({ text }) => text),
        template,
      );
      if (words) return { words, cells: own, from: column, to: column + columnSpan };
      const { row, rowSpan } = own.at(-1)!;
      const next = cells.find(
        (cell) => cell.row === row + rowSpan && cell.column === column && cell.columnSpan === columnSpan,
      );
      if (!next || own.length === MAX_HEADER_ROWS) break;
      own.push(next);
    }
  }
  return null;
}

/** Rows with codes that must show a dose where no header says so; a drug is hardly taken more often a day than this. */
const MIN_CODED = 2;
const MAX_TIMES = 8;
const USUAL_WORDS = ['1회투약량', '1일투여횟수', '총투약일수'] as const;

/** Over a column in which every row with a drug's code prints three numbers with marks between them: nothing else is printed so. */
function unreadHeader({ cells, columnCount }: ReadTable): DoseHeader | null {
  const coded = new Set(cells.filter(({ text }) => splitCodeAndName(text) !== null).map(({ row }) => row));
  for (let column = 0; column < columnCount; column++) {
    const own = cells.filter((cell) => cell.column === column && cell.columnSpan === 1);
    const body = own.filter(({ row, blank }) => coded.has(row) && !blank);
    const first = Math.min(...body.map(({ row }) => row));
    const heads = own.filter(({ row }) => row < first);
    const doses = body.filter(isDose);
    if (doses.length >= MIN_CODED && doses.length === body.length && heads.length > 0)
      return { words: USUAL_WORDS, cells: heads, from: column, to: column + 1, isUnread: true };
  }
  return null;
}

function isDose({ text }: ReadCell): boolean {
  const [, times] = doseNumbers(text) ?? [];
  return times !== undefined && Number(times.text) <= MAX_TIMES;
}

/** The cells of one row as one, and the numbers that it shows. */
function dosesInRow(cells: readonly ReadCell[]): { whole: ReadCell; numbers: readonly Reading[] | null } {
  const inked = cells.filter(({ blank }) => !blank);
  const [first, ...others] = inked;
  if (!first) return { whole: cells[0]!, numbers: null };
  const line = others.length > 0 ? joinedAcross(inked.map(printOf)) : first.text;
  const text =
    line ??
    joinReadings(
      inked.map((cell) => cell.text),
      ' ',
    );
  const whole = { ...first, text, ...(inked.some(({ crossed }) => crossed) && { crossed: true }) };
  return { whole, numbers: line && isOneLine(inked) ? doseNumbers(line) : null };
}

/** A cell's print and its place. */
function printOf({ text, box, lines }: ReadCell): ReadText {
  return lines?.[0] ?? { ...text, box };
}

function isOneLine(cells: readonly ReadCell[]): boolean {
  return cells.every(({ lines }) => (lines?.length ?? 1) <= 1);
}

function isDoubtful(cell: ReadCell): boolean {
  return !cell.blank && isOneLine([cell]) && isLikeDose(cell.text.text);
}

/** Three cells in place of those that a dose or its header reaches over. */
function inThirds(
  whole: ReadCell,
  cells: readonly ReadCell[],
  from: number,
  texts: readonly Reading[],
  numerals: readonly Reading[] | null,
): readonly ReadCell[] {
  return sideBySide({ ...whole, column: from, box: hullOf(cells.map((cell) => cell.box)) }, texts, numerals);
}
