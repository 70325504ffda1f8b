import type { interpretPage } from '../../functions/extraction/domain/interpret/interpret-page.ts';
import type {
  Box,
  PageReading,
  ReadCell,
  ReadLine,
  ReadTable,
} from '../../functions/extraction/domain/reading/table-reader.ts';
import { pageReading } from './page-reading.ts';

/** Height of a printed line, and width of each of its letters. */
const LINE = 16;
const LETTER = 10;

/** Code, name, dose, times a day and days of drugs that a test prints. */
export const DRUGS = [
  ['640500010', '가온정5밀리그램/1정', '1', '3', '7'],
  ['653100230', '나래캡슐200mg(내복)', '0.5', '2', '5'],
  ['651700430', '다솜시럽', '15', '3', '3'],
] as const;
/** The result of `drugLinesOf` for them. */
export const LINES = DRUGS.map(([code, name, quantity, , days]) => [code, name, Number(quantity), Number(days)]);

/** A line as a test prints it: what it says, where it starts, and how tall it is if not as all. */
export type Printed = readonly [text: string, x: number, y: number, height?: number];

/** A cell of a form: its sides, and its text. */
export interface FormCell {
  readonly box: readonly [left: number, top: number, right: number, bottom: number];
  readonly prints: readonly Printed[];
  readonly row?: number;
  readonly column?: number;
  readonly columnSpan?: number;
  readonly rowSpan?: number;
}

/** A page as a perfect reader would give it: one ruled form, and lines outside of it. */
export function printedForm(cells: readonly FormCell[], outside: readonly Printed[] = []): PageReading {
  const tables = cells.length > 0 ? [formTable(cells)] : [];
  const texts = outside.map((print) => ({ text: print[0], confidence: 0.95, box: boxOf(print) }));
  return { ...pageReading(tables), texts };
}

function formTable(cells: readonly FormCell[]): ReadTable {
  const read = cells.map(formCell);
  return {
    box: { x: 0, y: 0, width: 1000, height: 1400 },
    rowCount: Math.max(...read.map(({ row, rowSpan }) => row + rowSpan)),
    columnCount: Math.max(...read.map(({ column, columnSpan }) => column + columnSpan)),
    cells: read,
    bounded: true,
  };
}

function formCell({
  box: [left, top, right, bottom],
  prints,
  row = 0,
  column = 0,
  columnSpan = 1,
  rowSpan = 1,
}: FormCell): ReadCell {
  const lines = linesOf(prints);
  const text = lines.map((line) => line.text).join('');
  return {
    row,
    column,
    rowSpan,
    columnSpan,
    box: { x: left, y: top, width: right - left, height: bottom - top },
    blank: text === '',
    text: { text, confidence: 0.99 },
    numeral: lines.length === 1 ? lines[0]!.numeral : null,
    lines,
  };
}

/** Prints on one level are the pieces of one line. */
function linesOf(prints: readonly Printed[]): readonly ReadLine[] {
  const levels = Map.groupBy(prints, ([, , y]) => y);
  return [...levels.values()].map((level) => {
    const pieces = level.map((print) => {
      const digits = print[0].replace(/[^\d.,-]/g, '');
      const numeral = digits === '' ? null : { text: digits, confidence: 0.99 };
      return { text: print[0], confidence: 0.99, box: boxOf(print), numeral };
    });
    if (pieces.length === 1) return pieces[0]!;
    const [first, last] = [pieces[0]!, pieces.at(-1)!];
    const box = { ...first.box, width: last.box.x + last.box.width - first.box.x };
    return { text: pieces.map(({ text }) => text).join(''), confidence: 0.99, box, numeral: null, pieces };
  });
}

function boxOf([text, x, y, height = LINE]: Printed): Box {
  return { x, y, width: text.length * LETTER, height };
}

/** Code, name, quantity and days of each drug that was found. */
export function drugLinesOf({ table }: ReturnType<typeof interpretPage>) {
  return table?.lines.map(({ drugCode, drugName, quantity, days }) => {
    return [drugCode.value, drugName.value, quantity.value, days.value];
  });
}
