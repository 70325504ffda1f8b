import type { LineImage, LineRecogniser } from './line-recogniser.ts';
import { firstLook, LOOK_HEIGHT, readLooks, stretched, withMargins } from './looks.ts';
import { doubtedReading } from './reading-parts.ts';
import type { ReadCell, Reading, ReadTable } from './table-reader.ts';

/** A column's other numbers; in addition, a number or code in the row. */
const NUMBER = /^\d{1,4}(?:\.\d{1,4})?$/;
const HAS_DIGIT = /\d/;
const DIGIT = /^\d$/;
/** In heights of the line: a digit is no wider. */
const MAX_WIDTH = 1.5;
/** Stretch factors of the samples, and the margin added on either side in line heights. */
const LOOKS = [
  { wider: 1, margin: 0.5 },
  { wider: 1, margin: 1 },
  { wider: 1.15, margin: 0 },
  { wider: 1.3, margin: 0.5 },
];
const MIN_ALIKE = 2;
const MAX_DIGITS = 40;

/**
 * A small digit that stands alone may be read as nothing: a network that reads lines wants some paper around it. Where the column has numbers, and
 * the row digits, it is read again with that, and what most looks see is given, doubted.
 * @param cut the picture of a cell's only line.
 */
export async function withUnreadDigits(
  tables: readonly ReadTable[],
  cut: (cell: ReadCell) => LineImage,
  recogniser: LineRecogniser,
): Promise<readonly ReadTable[]> {
  const unread = tables.flatMap(unreadDigits).slice(0, MAX_DIGITS);
  if (unread.length === 0) return tables;
  const looks = await readLooks(
    unread.map((cell) => looksAt(cut(cell))),
    recogniser,
  );
  const found = new Map<ReadCell, Reading>();
  for (const [n, cell] of unread.entries()) {
    const digit = seenByMost(looks[n]!.map(({ text }) => text));
    if (digit) found.set(cell, doubtedReading(digit));
  }
  return tables.map((table) => ({ ...table, cells: table.cells.map((cell) => withReading(cell, found.get(cell))) }));
}

function unreadDigits({ cells }: ReadTable): readonly ReadCell[] {
  const shows = (cell: ReadCell, form: RegExp) => cell.lines?.length === 1 && form.test(cell.text.text);
  const columns = new Set(cells.filter((cell) => shows(cell, NUMBER)).map(({ column }) => column));
  const rows = new Set(cells.filter((cell) => shows(cell, HAS_DIGIT)).map(({ row }) => row));
  return cells.filter((cell) => {
    const [line, ...others] = cell.lines ?? [];
    const isUnread = line !== undefined && others.length === 0 && line.text === '' && !line.pieces;
    const isNarrow = isUnread && line.box.width <= MAX_WIDTH * line.box.height;
    return isNarrow && cell.rowSpan === 1 && columns.has(cell.column) && rows.has(cell.row);
  });
}

function looksAt(line: LineImage): readonly LineImage[] {
  const image = firstLook(line);
  return LOOKS.map(({ wider, margin }) => withMargins(stretched(image, wider), Math.round(margin * LOOK_HEIGHT)));
}

/** The digit that most looks agree on, as sure as the surest of them; null where they see several, or something else. */
function seenByMost(looks: readonly Reading[]): Reading | null {
  const seen = looks.filter(({ text }) => text !== '');
  const [first] = seen.toSorted((a, b) => b.confidence - a.confidence);
  const isOne = seen.length >= MIN_ALIKE && DIGIT.test(first!.text) && seen.every(({ text }) => text === first!.text);
  return isOne ? first! : null;
}

function withReading(cell: ReadCell, reading: Reading | undefined): ReadCell {
  if (!reading) return cell;
  const lines = cell.lines!.map((line) => ({ ...line, ...reading, numeral: reading }));
  return { ...cell, text: reading, numeral: reading, lines };
}
