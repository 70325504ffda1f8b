import { doubtedReading, joinReadings } from '../../reading/reading-parts.ts';
import type { Box, Reading } from '../../reading/table-reader.ts';
import type { Template } from '../../reading/template.ts';
import { showsCode } from '../codes/shows-code.ts';
import { lineBelow } from '../headers/find-headers.ts';
import { centerX, centerY, groupByLevel, hullOf, type Print } from '../print.ts';
import { areDoses, doseNumbers, doseWords, isLikeDose, joinedAcross, unreadNumber } from './combined-dose.ts';

/** Lines that the header of such a column is broken into: one of a second language among them. */
const MAX_LINES = 4;
/** In line heights: maximum vertical distance from the doses of a line whose marks were not read. */
const NEAR = 3;
/** Part of a third's width that a word or a number takes. */
const FILLED = 0.6;

/** Prints side by side, as one print and as its pieces. */
interface Line extends Print {
  readonly pieces: readonly Print[];
  /** Whether a part of it may have been read twice. */
  readonly isTwice?: boolean;
}

/**
 * Prints in which those of a column that holds dose, times a day and days, `1회량/횟수/일수` over `1.00 / 3 / 7`, are three columns of prints
 * side by side. Where the marks between the numbers were not read, three prints that show no number.
 */
export function splitDoseLines(prints: readonly Print[], template: Template): readonly Print[] {
  const headers = doseHeaders(prints, template);
  return (headers.length > 0 ? headers : unreadHeaders(prints)).reduce(
    (parted, header) => splitBelow(header, parted),
    prints,
  );
}

/** Words for the three with marks between them, in one line or in lines below each other. */
interface DoseHeader {
  readonly words: readonly string[];
  readonly lines: readonly Line[];
  /** Whether its words could not be read, so that the numbers below it decide. */
  readonly isUnread?: true;
}

function splitBelow({ words, lines, isUnread }: DoseHeader, prints: readonly Print[]): readonly Print[] {
  const box = hullOf(lines.map((line) => line.box));
  const [left, right] = sidesOf(lines, box, prints);
  const { table, confidence } = lines[0]!;
  const below = prints.filter(
    (print) =>
      print.table === table &&
      print.box.y > box.y + box.height &&
      centerX(print.box) > left &&
      centerX(print.box) < right,
  );
  const candidates = linesOf(below).map((line) => ({ line, numbers: line.isTwice ? null : doseNumbers(line) }));
  const read = candidates.flatMap(({ line, numbers }) => (numbers ? [{ line, numbers }] : []));
  const like = candidates.flatMap(({ line, numbers }) => (numbers === null && isLikeDose(line.text) ? [line] : []));
  const list = hullOf((read.length > 0 ? read.map(({ line }) => line) : like).map((line) => line.box));
  const isNear = ({ box: { y, height } }: Print) =>
    y > list.y - NEAR * height && y + height < list.y + list.height + NEAR * height;
  const unread = like.filter(isNear);
  if (!areDoses(read.length, unread.length)) return prints;
  const column = { left, width: (right - left) / words.length };
  const heads = words.map((text) => ({ text, confidence }));
  const parted = [
    ...thirdsOf({ ...lines[0]!, box }, heads, null, column),
    ...read.flatMap(({ line, numbers }) => {
      const shown = isUnread ? numbers.map(doubtedReading) : numbers;
      return thirdsOf(line, shown, shown, column);
    }),
    ...unread.flatMap((line) =>
      thirdsOf(line, new Array<Reading>(words.length).fill(unreadNumber(line)), null, column),
    ),
  ];
  const replaced = new Set([...lines, ...read.map(({ line }) => line), ...unread].flatMap(({ pieces }) => pieces));
  return [...prints.filter((print) => !replaced.has(print)), ...parted];
}

/** The headers of such columns: a list in two halves has one in each. */
function doseHeaders(prints: readonly Print[], template: Template): readonly DoseHeader[] {
  const lettered = prints.filter(({ text }) => /\p{L}/u.test(text));
  const wholes = new Set(lettered.flatMap(({ line }) => (line ? [line.whole] : [])));
  const units: readonly Line[] = [
    ...lettered.map((print) => ({ ...print, pieces: [print] })),
    ...[...wholes].map((whole): Line => {
      const pieces = prints.filter(({ line }) => line?.whole === whole);
      return { ...pieces[0]!, ...whole, line: null, pieces };
    }),
  ].sort((a, b) => a.box.y - b.box.y);
  const taken = new Set<Print>();
  const headers: DoseHeader[] = [];
  for (const first of units) {
    const header = headerFrom(first, units, template);
    const own = header?.lines.flatMap(({ pieces }) => pieces) ?? [];
    if (!header || own.some((print) => taken.has(print))) continue;
    for (const print of own) taken.add(print);
    headers.push(header);
  }
  return headers;
}

/** Rows with codes that must show a dose where no header says so; a drug is hardly taken more often a day than this. */
const MIN_CODED = 2;
const MAX_TIMES = 8;
const USUAL_WORDS = ['1회투약량', '1일투여횟수', '총투약일수'] as const;

/** Headers over columns of a grid in which every row with a drug's code prints three numbers with marks between them: nothing else is printed so. */
function unreadHeaders(prints: readonly Print[]): readonly DoseHeader[] {
  const inTables = Map.groupBy(prints, ({ table }) => table);
  return [...inTables].flatMap(([table, own]) => {
    if (table === null) return [];
    const inCells = own.filter(({ cell }) => cell !== null);
    const coded = new Set(inCells.filter(showsCode).map(({ cell }) => cell!.row));
    const columns = Map.groupBy(
      inCells.filter(({ cell }) => cell!.columnSpan === 1),
      ({ cell }) => cell!.column,
    );
    return [...columns.values()].flatMap((column) => headerOverDoses(column, coded) ?? []);
  });
}

function headerOverDoses(column: readonly Print[], coded: ReadonlySet<number>): DoseHeader | null {
  const body = linesOf(column.filter(({ cell }) => coded.has(cell!.row)));
  const first = Math.min(...coded);
  const heads = linesOf(column.filter(({ cell }) => cell!.row < first));
  const isDose = (line: Line) => Number(doseNumbers(line)?.[1]?.text ?? Number.POSITIVE_INFINITY) <= MAX_TIMES;
  if (body.length < MIN_CODED || body.length < coded.size || !body.every(isDose) || heads.length === 0) return null;
  return { words: USUAL_WORDS, lines: heads, isUnread: true };
}

function headerFrom(first: Line, units: readonly Line[], template: Template): DoseHeader | null {
  const lines = [first];
  for (;;) {
    const words = doseWords(
      lines.map(({ text }) => text),
      template,
    );
    if (words) return { words, lines };
    const next = lines.length < MAX_LINES ? lineBelow(lines.at(-1)!, units) : undefined;
    if (!next) return null;
    lines.push(next);
  }
}

/** From where to where the column reaches: as far as the cells that hold its header alone, else a little further than its words. */
function sidesOf(lines: readonly Line[], box: Box, prints: readonly Print[]): readonly [left: number, right: number] {
  const own = new Set(lines.flatMap(({ pieces }) => pieces));
  const cells = new Set([...own].map(({ cell }) => cell));
  const isAlone = prints.every(
    (print) => !print.cell || !cells.has(print.cell) || own.has(print) || isBelow(print, box),
  );
  const boxes = [...cells].flatMap((cell) => (cell ? [cell.box] : []));
  if (isAlone && boxes.length === cells.size) {
    const { x, width } = hullOf(boxes);
    return [x, x + width];
  }
  const { height } = lines[0]!.box;
  return [box.x - height, box.x + box.width + height];
}

/** In one cell, the words of a second language are below the header's, as do all doses if no rule separates them from it. */
function isBelow(print: Print, { x, y, width, height }: Box): boolean {
  return centerY(print.box) > y + height && centerX(print.box) > x && centerX(print.box) < x + width;
}

/** Prints side by side as one: the reading of the whole line if it is complete, doubted if a rule seems to divide it. */
function linesOf(prints: readonly Print[]): readonly Line[] {
  return groupByLevel(prints).map((pieces): Line => {
    const [first, ...others] = pieces;
    const { line } = first!;
    if (others.length === 0) return { ...first!, pieces };
    // An isolated mark may belong to an unread part.
    const isWhole = line !== null && pieces.length === line.parts - line.unread.length;
    if (isWhole && pieces.every((piece) => piece.line?.whole === line.whole))
      return { ...first!, ...line.whole, pieces };
    const box = hullOf(pieces.map((piece) => piece.box));
    const crossed = pieces.some((piece) => piece.crossed) && { crossed: true };
    const isOneCell = pieces.every(({ cell }) => cell === first!.cell);
    const reading = isOneCell ? joinReadings(pieces, ' ') : joinedAcross(pieces);
    return { ...first!, ...(reading ?? joinReadings(pieces, ' ')), box, ...crossed, pieces, isTwice: reading === null };
  });
}

/** Three prints in the thirds of the column: the exact place of each part of the line is unknown. */
function thirdsOf(
  { box, table, crossed }: Print,
  readings: readonly Reading[],
  numerals: readonly Reading[] | null,
  { left, width }: { readonly left: number; readonly width: number },
): readonly Print[] {
  return readings.map((reading, index) => {
    const filled = Math.min(FILLED * width, 0.5 * box.height * Math.max(1, reading.text.length));
    const x = left + (index + 0.5) * width - filled / 2;
    const place = { box: { ...box, x, width: filled }, cell: null, table, line: null };
    return { ...reading, ...place, numeral: numerals?.[index] ?? null, ...(crossed && { crossed }) };
  });
}
