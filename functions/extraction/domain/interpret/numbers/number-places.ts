import { medianOf } from '../../median.ts';
import { doubtedReading } from '../../reading/reading-parts.ts';
import type { Box, ReadCell } from '../../reading/table-reader.ts';
import type { NumericField } from '../../sheet-arithmetic.ts';
import { centerX, isLevel } from '../print.ts';
import { isMeasure } from './cell-values.ts';
import { isNumber } from './split-numbers.ts';

/** Minimum other rows with a number in a column, to locate its numbers. */
const MIN_ROWS = 2;

/**
 * Finds numbers closer to those of another column than to their column's, as in print shifted against the form with the proper number
 * missing.
 * @param columns cells of the lines, column by column; undefined for a line without one.
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
 * In a cell that prints several numbers below each other, perhaps with their units, the one that is level with the row's other numbers,
 * if it is the only one. Doubted: the others may be strokes, or the row's own.
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

/** In digit heights: maximum offset of a column's numbers from its middle, and the minimum offset of one that lacks a digit. */
const CENTRED = 0.15;
const SHIFTED = 0.3;
/** In heights of a digit: numbers that differ so much in width and have one middle are centred. */
const OTHER_WIDTH = 0.4;
/** Other numbers that show where a column's middle is. */
const MIN_CENTRED = 3;
const DIGITS = /^[\d.]+$/;

/**
 * Finds numbers half a digit off the middle of a column that centres its numbers: one of their digits is in the column's rule and was
 * not seen.
 */
export function shiftedNumbers(cells: readonly (ReadCell | undefined)[]): ReadonlySet<ReadCell> {
  const columns = centringOf(cells);
  const isShifted = ({ off, isCentred, isAsWide }: Centring) => (isCentred || isAsWide) && off > SHIFTED;
  return new Set([...columns].filter(([, centring]) => isShifted(centring)).map(([cell]) => cell));
}

/**
 * Finds numbers in the middle of a column that centres its numbers, as others of different widths show: one that lacks a digit would be
 * half a digit off.
 */
export function centredNumbers(cells: readonly (ReadCell | undefined)[]): ReadonlySet<ReadCell> {
  const isInMiddle = ({ off, isCentred }: Centring) => isCentred && off < CENTRED;
  return new Set([...centringOf(cells)].filter(([, centring]) => isInMiddle(centring)).map(([cell]) => cell));
}

/** Times the height of the column's other numbers: no digit is so tall. */
const TALL = 1.35;

/** Finds numbers taller than the others of their column: a stroke of a pen next to a digit is read as another digit, 42 for 2. */
export function tallNumbers(cells: readonly (ReadCell | undefined)[]): ReadonlySet<ReadCell> {
  const placed = cells
    .filter(isInked)
    .filter(({ text, lines }) => (lines?.length ?? 1) === 1 && DIGITS.test(text.text.trim()));
  if (placed.length <= MIN_ROWS) return new Set();
  const usual = medianOf(placed.map((cell) => placeOf(cell).height));
  return new Set(placed.filter((cell) => placeOf(cell).height > TALL * usual));
}

interface Centring {
  /** In digit heights: offset from the middle of the column's other numbers. */
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
  /** Centres of a column's numbers, row by row; null without one. */
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

/** Place of the digits: the cell itself if its lines are unknown. */
function placeOf({ lines, box }: ReadCell): Box {
  const pieces = (lines ?? []).flatMap((line) => line.pieces ?? line);
  return pieces.find(({ text }) => /\d/.test(text))?.box ?? box;
}
