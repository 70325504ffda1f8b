import { medianOf } from '../../median.ts';
import { doubtedReading } from '../../reading/reading-parts.ts';
import type { Box, ReadCell } from '../../reading/table-reader.ts';
import type { NumericField } from '../../sheet-arithmetic.ts';
import { centerX, isLevel } from '../print.ts';
import { isMeasure } from './cell-values.ts';
import { isNumber } from './split-numbers.ts';

/** Other rows that must have a number in a column before they say where its numbers stand. */
const MIN_ROWS = 2;

/**
 * Tells numbers that stand nearer to those of another column than to those of their own, as where print is shifted against the
 * form and the number that belongs here was not seen.
 * @param columns cells of the lines, column by column; undefined where a line has none.
 */
export function strayNumbers(
  columns: ReadonlyMap<NumericField, readonly (ReadCell | undefined)[]>,
): ReadonlySet<ReadCell> {
  const places = new Map([...columns].map(([field, cells]) => [field, placesOf(cells)]));
  const strays = new Set<ReadCell>();
  for (const [field, cells] of columns)
    for (const [row, cell] of cells.entries()) {
      const x = places.get(field)!.centers[row];
      if (cell === undefined || x == null) continue;
      const away = (other: NumericField) => {
        const usual = usualWithout(places.get(other)!, row);
        return usual === null ? null : Math.abs(x - usual);
      };
      const own = away(field);
      const nearer = (other: NumericField) => other !== field && (away(other) ?? Number.POSITIVE_INFINITY) < own!;
      if (own !== null && [...columns.keys()].some(nearer)) strays.add(cell);
    }
  return strays;
}

/**
 * A cell that prints several numbers below each other, perhaps with their units: the one that stands level with the row's other numbers, where one
 * alone does. Doubted: the others may be strokes, or the row's own.
 * @param beside the row's other cells of numbers.
 */
export function levelNumber(cell: ReadCell, beside: readonly ReadCell[]): ReadCell {
  const { lines = [] } = cell;
  if (lines.length < 2 || !lines.every(({ text }) => isNumber(text) || isMeasure(text))) return cell;
  const numbers = beside.flatMap((other) => (other.lines?.length === 1 ? other.lines : []));
  const [own, ...more] = lines.filter(({ box }) => numbers.some((number) => isLevel(number.box, box)));
  if (!own || more.length > 0) return cell;
  return { ...cell, text: doubtedReading(own), numeral: own.numeral && doubtedReading(own.numeral) };
}

/** In heights of a digit: how far numbers of a column stand from its middle at most, and how far one that lacks a digit does at least. */
const CENTRED = 0.15;
const SHIFTED = 0.3;
/** In heights of a digit: numbers that differ so much in width and have one middle are centred. */
const OTHER_WIDTH = 0.4;
/** Other numbers that show where a column's middle is. */
const MIN_CENTRED = 3;
const DIGITS = /^[\d.]+$/;

/**
 * Tells numbers that stand half a digit beside the middle of a column that centres its numbers: a digit of theirs lies in the column's rule
 * and was not seen.
 */
export function shiftedNumbers(cells: readonly (ReadCell | undefined)[]): ReadonlySet<ReadCell> {
  const columns = centringOf(cells);
  const isShifted = ({ off, isCentred, isAsWide }: Centring) => (isCentred || isAsWide) && off > SHIFTED;
  return new Set([...columns].filter(([, centring]) => isShifted(centring)).map(([cell]) => cell));
}

/**
 * Tells numbers that stand in the middle of a column that centres its numbers, as others of other widths show: one that lacks a digit would
 * stand half a digit beside it.
 */
export function centredNumbers(cells: readonly (ReadCell | undefined)[]): ReadonlySet<ReadCell> {
  const isInMiddle = ({ off, isCentred }: Centring) => isCentred && off < CENTRED;
  return new Set([...centringOf(cells)].filter(([, centring]) => isInMiddle(centring)).map(([cell]) => cell));
}

/** Times the height of the column's other numbers: no digit is so tall. */
const TALL = 1.35;

/** Tells numbers that are taller than the others of their column: a stroke of a pen beside a digit is read as one more, 42 for 2. */
export function tallNumbers(cells: readonly (ReadCell | undefined)[]): ReadonlySet<ReadCell> {
  const placed = cells
    .filter(isInked)
    .filter(({ text, lines }) => (lines?.length ?? 1) === 1 && DIGITS.test(text.text.trim()));
  if (placed.length <= MIN_ROWS) return new Set();
  const usual = medianOf(placed.map((cell) => placeOf(cell).height));
  return new Set(placed.filter((cell) => placeOf(cell).height > TALL * usual));
}

interface Centring {
  /** In heights of a digit: how far beside the middle of the column's other numbers. */
  readonly off: number;
  /** Whether the others differ in width and have one middle. */
  readonly isCentred: boolean;
  readonly isAsWide: boolean;
}

/** The numbers of a column whose others, but for one that is shifted itself at most, have one middle. */
function centringOf(cells: readonly (ReadCell | undefined)[]): ReadonlyMap<ReadCell, Centring> {
  const placed = cells.filter(isInked).filter(({ text }) => DIGITS.test(text.text.trim()));
  const boxes = new Map(placed.map((cell) => [cell, placeOf(cell)]));
  const found = new Map<ReadCell, Centring>();
  for (const cell of placed) {
    const own = boxes.get(cell)!;
    const others = placed.flatMap((other) => (other === cell ? [] : boxes.get(other)!));
    if (others.length < MIN_CENTRED) continue;
    const middle = medianOf(others.map(centerX));
    const inMiddle = others.filter((box) => Math.abs(centerX(box) - middle) < CENTRED * box.height);
    if (inMiddle.length < Math.max(MIN_CENTRED, others.length - 1)) continue;
    const widths = inMiddle.map(({ width }) => width);
    found.set(cell, {
      off: Math.abs(centerX(own) - middle) / own.height,
      isCentred: Math.max(...widths) - Math.min(...widths) > OTHER_WIDTH * own.height,
      isAsWide: widths.every((width) => Math.abs(width - own.width) < OTHER_WIDTH * own.height),
    });
  }
  return found;
}

interface Places {
  /** Where the numbers of a column stand, row by row; null where none does. */
  readonly centers: readonly (number | null)[];
  readonly sorted: readonly number[];
}

function placesOf(cells: readonly (ReadCell | undefined)[]): Places {
  const centers = cells.map((cell) => (isInked(cell) ? centerX(placeOf(cell)) : null));
  return { centers, sorted: centers.filter((center) => center !== null).sort((a, b) => a - b) };
}

/** The median of a column's places but for that of a row; null where too few are left. */
function usualWithout({ centers, sorted }: Places, row: number): number | null {
  const own = centers[row] ?? null;
  const left = own === null ? -1 : sorted.indexOf(own);
  const count = left < 0 ? sorted.length : sorted.length - 1;
  if (count < MIN_ROWS) return null;
  const middle = count >> 1;
  return sorted[left >= 0 && middle >= left ? middle + 1 : middle]!;
}

function isInked(cell: ReadCell | undefined): cell is ReadCell {
  return cell !== undefined && !cell.blank;
}

/** Where the digits stand: the cell itself where its lines are not known. */
function placeOf({ lines, box }: ReadCell): Box {
  const pieces = (lines ?? []).flatMap((line) => line.pieces ?? line);
  return pieces.find(({ text }) => /\d/.test(text))?.box ?? box;
}
