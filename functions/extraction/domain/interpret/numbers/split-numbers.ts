import { DOUBT, doubtedReading } from '../../reading/reading-parts.ts';
import type { Box, ReadCell, Reading, ReadLine, ReadTable } from '../../reading/table-reader.ts';
import { hullOf, overlap, type Print, partOfPrint } from '../print.ts';

/** In line heights: closer digits belong to one number, even if a border was seen between them. */
export const DIGIT_GAP = 0.35;
/** In heights of a line, at most. */
const DIGIT_WIDTH = 0.9;
const DIGITS = /^[\d.,]+$/;
/** Digits behind letters, not of a strength: those of the number in the next column, which the border has cut. */
const ENDS_IN_LONE_DIGITS = /\p{L}\s?\d{1,3}$/u;
/** In line heights: no other number starts this close to a point. */
const POINT_GAP = 0.6;
/** The second half of a number, perhaps with its unit. */
const LAST_DIGITS = /^([\d.,]+)\s?\p{L}{0,3}$/u;

/** The last digits of the number before, which the border cuts off, and the column's own number behind them: 0.2|5 3. */
const BEHIND_REST = /^(?<rest>\d{1,3}) +(?<own>\d[\d.]*)$/d;

/**
 * Prints with numbers that a column's border cut in two joined again. Others of such a column that reach as far are doubted: the rule may
 * hide a digit beyond the border.
 */
export function joinSplitNumbers(prints: readonly Print[]): readonly Print[] {
  const joined: Print[] = [];
  const cut = new Map<ReadTable | null, Set<number>>();
  for (const print of [...prints].sort((a, b) => a.box.x - b.box.x)) {
    const [last, ...others] = partsAtBorder(print, joined) ?? [print];
    const index = isPlaced(last!, LAST_DIGITS)
      ? joined.findIndex((other) => other.cell !== last!.cell && isPlaced(other, DIGITS) && goesOn(other, last!))
      : -1;
    if (index < 0) joined.push(last!);
    else {
      const { table, cell } = joined[index]!;
      cut.set(table, (cut.get(table) ?? new Set()).add(cell!.column));
      joined[index] = whole(joined[index]!, last!);
    }
    joined.push(...others);
  }
  const isOfCutColumn = ({ cell, table }: Print) => cell !== null && cut.get(table)?.has(cell.column) === true;
  return joined.map((print) => (isAtBorder(print) && isOfCutColumn(print) ? doubtedPrint(print) : print));
}

function isAtBorder({ text, box, cell }: Print): boolean {
  const room = cell === null ? Number.POSITIVE_INFINITY : cell.box.x + cell.box.width - box.x - box.width;
  return DIGITS.test(text) && room >= 0 && room < POINT_GAP * box.height;
}

/**
 * A print's digits at its cell's border that continue a number before it, and the number behind them, doubted; null without such digits.
 */
function partsAtBorder(print: Print, before: readonly Print[]): readonly Print[] | null {
  const { rest, own } = BEHIND_REST.exec(print.text)?.indices?.groups ?? {};
  const { cell, box } = print;
  if (!rest || !own || !cell?.lines || box.x - cell.box.x > DIGIT_GAP * box.height) return null;
  const number = before.find((other) => isPlaced(other, DIGITS) && runsOn(other.box, box, POINT_GAP));
  if (!number || number.cell === cell) return null;
  const wide = (from: number, to: number) => Math.min(box.width / 2, (to - from) * DIGIT_WIDTH * box.height);
  const [first, second] = [partOfPrint(print, ...rest), doubtedPrint(partOfPrint(print, ...own))];
  // Right next to the number's own digits: ignore the space that the rule has taken.
  const x = number.box.x + number.box.width;
  const width = wide(...own);
  return [
    { ...first, box: { ...box, x, width: wide(...rest) } },
    { ...second, box: { ...box, x: box.x + box.width - width, width } },
  ];
}

/** Without line positions, a cell's box does not locate its print. */
function isPlaced({ text, cell, box }: Print, form: RegExp): boolean {
  return form.test(text) && isTight(text, box) && cell?.lines !== undefined;
}

/** No number of a list has more digits. */
const MAX_DIGITS = 9;

function goesOn(left: Print, right: Print): boolean {
  if (left.text.length + right.text.length > MAX_DIGITS + 2) return false;
  const isPoint = /[.,]$/.test(left.text) !== /^[.,]/.test(right.text);
  return runsOn(left.box, right.box, isPoint || hidesPoint(left, right) ? POINT_GAP : DIGIT_GAP);
}

/** No whole number starts with a zero: the point behind it is in the border. */
function hidesPoint(left: Print, right: Print): boolean {
  return left.text === '0' && /^[1-9]\d*(?![\d.,])/.test(right.text);
}

const QUANTITY = /^\d[\d.,]*\s?\p{L}{0,3}$/u;

/** A number, perhaps with its unit. */
export function isQuantity(text: string): boolean {
  return QUANTITY.test(text);
}

/** Digits alone, with points and separators. */
export function isNumber(text: string): boolean {
  return DIGITS.test(text);
}

/** A box that also contains remains of a rule next to the digits is too wide for them. */
function isTight(text: string, { width, height }: Box): boolean {
  return width <= DIGIT_WIDTH * height * text.length;
}

/** Digits without other ink: remains of a rule would make their box too wide. */
export function isTightNumber(text: string, box: Box): boolean {
  return DIGITS.test(text) && isTight(text, box);
}

/** Whether wide blanks part a line into several pieces that are all digits: one number and a letter of its unit, 1 g, or two numbers. */
export function areSeveral(pieces: readonly Pick<ReadLine, 'text'>[]): boolean {
  return pieces.length > 1 && pieces.every(({ text }) => DIGITS.test(text));
}

/** Whether a cell's lines show more digits than its number has: one of them was read as a separate line. */
export function hasStrayDigits({ lines = [] }: ReadCell, number: string): boolean {
  if (lines.length < 2) return false;
  const shown = lines.flatMap(({ text, pieces = [] }) => (text === '' ? pieces.map((piece) => piece.text) : [text]));
  const digitsOf = (text: string) => text.replace(/\D/g, '').length;
  return digitsOf(shown.join('')) > digitsOf(number);
}

/**
 * Whether the digits of a cell continue in the next one: then neither is a number by itself. The continuation may be the end of a name,
 * 가나정5mg(다1|5.0.
 */
export function isSplitBetween(left: ReadCell | undefined, right: ReadCell | undefined): boolean {
  return (left?.lines ?? []).some(
    (a) =>
      (isTightNumber(a.text, a.box) || ENDS_IN_LONE_DIGITS.test(a.text)) &&
      (right?.lines ?? []).some((b) => isTightNumber(b.text, b.box) && runsOn(a.box, b.box)),
  );
}

/**
 * Minimum rows that show print shifted against the form, so that a border cuts its numbers; and in line heights, the distance of such
 * numbers from a name.
 */
const MIN_CUT = 2;
const AT_BORDER = 1;

/**
 * Numbers that may lack their first digits: print is shifted so far that digits are at the end of adjacent names, as on other rows of the
 * list, or that names reach up to them.
 * @param rows a number, and the print of the names' column that ends right before it.
 */
export function cutNumbers<Number extends { readonly box: Box }>(
  rows: readonly { readonly number: Number; readonly before: Print }[],
): ReadonlySet<Number> {
  const isWithin = (reach: number) => (row: (typeof rows)[number]) => {
    const { x, height } = row.number.box;
    return x - row.before.box.x - row.before.box.width < reach * height;
  };
  const cut = rows.filter((row) => /\d$/.test(row.before.text) && isWithin(POINT_GAP)(row));
  return new Set(cut.length < MIN_CUT ? [] : rows.filter(isWithin(AT_BORDER)).map(({ number }) => number));
}

/** The same print, less surely read. */
export function doubtedPrint<Piece extends Reading & { readonly numeral: Reading | null }>(piece: Piece): Piece {
  const { confidence, letters, numeral } = piece;
  return {
    ...piece,
    confidence: confidence * DOUBT,
    ...(letters && { letters: letters.map((each, n) => (isPoint(piece.text[n]!) ? each : each * DOUBT)) }),
    numeral: numeral && doubtedReading(numeral),
  };
}

/** Signs between digits are accepted as a point if no other sign is possible; only the digits are in doubt. */
function isPoint(letter: string): boolean {
  return letter === '.' || letter === ',';
}

export function doubted(cell: ReadCell): ReadCell {
  const { text, numeral } = cell;
  return { ...cell, text: doubtedReading(text), numeral: numeral && doubtedReading(numeral) };
}

function runsOn(left: Box, right: Box, maxGap = DIGIT_GAP): boolean {
  const height = Math.min(left.height, right.height);
  const gap = right.x - left.x - left.width;
  const shared = overlap(left.y, left.y + left.height, right.y, right.y + right.height);
  return shared > 0.5 * height && gap > -DIGIT_GAP * height && gap < maxGap * height;
}

function whole(left: Print, right: Print): Print {
  const begun = hidesPoint(left, right) ? `${left.text}.` : left.text;
  const text = begun + right.text;
  const confidence = left.confidence * right.confidence * DOUBT;
  const reading = { text, confidence, letters: Array.from(text, (letter) => (isPoint(letter) ? 1 : confidence)) };
  const numeral = { text: begun + LAST_DIGITS.exec(right.text)![1]!, confidence };
  return { ...left, ...reading, numeral, line: null, box: hullOf([left.box, right.box]) };
}
