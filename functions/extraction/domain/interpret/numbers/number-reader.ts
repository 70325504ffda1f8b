import type { Field } from '../../drug-line.ts';
import type { ReadCell } from '../../reading/table-reader.ts';
import type { TableField } from '../../reading/template.ts';
import { NUMERIC_FIELDS, type NumericField } from '../../sheet-arithmetic.ts';
import { besideDailyDose } from '../doses/daily-dose.ts';
import { asThird, withZero } from '../doses/dose-thirds.ts';
import type { Grid } from '../grid.ts';
import { linesOf } from '../print.ts';
import { type NumberStyle, numberField, numeralOf, ofFirstColumn, readingOf, withoutSign } from './cell-values.ts';
import {
  fixedPlacesOf,
  hasUnlikelyPlaces,
  inFixedPlaces,
  isThousands,
  withLostPoints,
  withoutPoint,
  withoutSpecks,
} from './fixed-places.ts';
import { areMinusButtons } from './minus-buttons.ts';
import { centredNumbers, levelNumber, shiftedNumbers, strayNumbers, tallNumbers } from './number-places.ts';
import { withoutStrayDigit } from './odd-days.ts';
import { arePartsOfOne, isPartOfOne, withoutParts } from './parts-of-one.ts';
import { doseStyle, quantityStyles, writtenStyle } from './quantity-style.ts';
import { areSeveral, doubted, hasStrayDigits, isSplitBetween } from './split-numbers.ts';
import { hasOddPlace, withTabletUnits } from './unit-as-digit.ts';

/** Numbers that are still one without their first or last digit, and that nothing on a prescription checks. */
const COUNTS = ['quantity', 'timesPerDay', 'days'] as const;
/** Maximum dose, times a day and days. */
const MAX_COUNT = 9_999;
/** A number below a stroke that is read less surely than this may be another one. */
const SURELY_READ = 0.99;

/** Minimum height in pixels of distinguishable digits: of lower ones even surely read ones are sometimes wrong. */
const MIN_HEIGHT = { drawn: 7, paper: 10 };
/** Digits that small print makes look like others. */
const ROUND = /[035689]/;

/** Places of a list's numbers, and the formats of its columns. */
export interface NumberColumns {
  readonly grid: Grid;
  readonly lineRows: readonly number[];
  readonly has: (field: NumericField) => boolean;
  readonly cellOf: (row: number, field: TableField) => ReadCell | undefined;
  /** Whether amounts or totals are printed: returns and corrections have such, a dose that is only prescribed is never below zero. */
  readonly mayBeNegative: boolean;
  /** The column of the daily dose, next to that of the single dose. */
  readonly dailyColumn: number | null;
  /** Whether a program drew the picture, whose digits then are sharp. */
  readonly isDrawn: boolean;
}

/** Reads the numbers of a list: how one is written depends on how its column writes the others. */
export function numberReader(list: NumberColumns): (row: number) => Readonly<Record<NumericField, Field<number>>> {
  const { grid, lineRows, mayBeNegative, dailyColumn, isDrawn } = list;
  const minHeight = isDrawn ? MIN_HEIGHT.drawn : MIN_HEIGHT.paper;
  const shownOf = shownCells(list);
  const fieldOf = fieldReader(list, shownOf);
  const numeral = (row: number, field: NumericField) => {
    const cell = shownOf.cell(row, field);
    return cell && !cell.blank ? numeralOf(cell) : '';
  };
  const numerals = (field: NumericField) => lineRows.map((row) => numeral(row, field));
  // Programs print 1.000 a day, and nothing is taken a thousand times a day.
  const countStyle = (field: NumericField): NumberStyle =>
    writtenStyle(numerals(field)) === 'decimal' ? 'decimal' : 'whole';
  const [timesStyle, daysStyle] = [countStyle('timesPerDay'), countStyle('days')];
  const byProducts = quantityStyles(
    lineRows.map((row) => Object.fromEntries(NUMERIC_FIELDS.map((field) => [field, numeral(row, field)]))),
  );
  const quantityStyle = mayBeNegative ? byProducts.quantity : doseStyle(numerals('quantity'));
  const doseOf = (row: number): Field<number> => {
    const read = fieldOf(row, 'quantity', quantityStyle);
    const dose = asThird(mayBeNegative ? read : withZero(read));
    if (dailyColumn === null) return dose;
    const daily = numberField(grid.at(row, dailyColumn), quantityStyle);
    return besideDailyDose(dose, daily, fieldOf(row, 'timesPerDay', timesStyle));
  };
  const amounts = numerals('totalAmount');
  const buttons = new Set(
    (['quantity', 'prescribedQty'] as const).filter((field) => areMinusButtons(numerals(field), amounts)),
  );
  const countOf = (field: 'quantity' | 'prescribedQty', count: Field<number>) =>
    buttons.has(field) ? withoutSign(count) : count;
  // On sheets with amounts, arithmetic distinguishes similar digits.
  const withSize = (row: number, field: NumericField, number: Field<number>): Field<number> => {
    const isSmall = !mayBeNegative && ROUND.test(number.text) && heightOf(list.cellOf(row, field)) < minHeight;
    return isSmall && !number.doubt ? { ...number, doubt: 'small' } : number;
  };
  return (row) => ({
    quantity: withSize(row, 'quantity', countOf('quantity', doseOf(row))),
    timesPerDay: fieldOf(row, 'timesPerDay', timesStyle),
    days: withSize(row, 'days', fieldOf(row, 'days', daysStyle)),
    prescribedQty: countOf('prescribedQty', fieldOf(row, 'prescribedQty', byProducts.prescribedQty)),
    unitPrice: fieldOf(row, 'unitPrice', 'whole'),
    totalAmount: fieldOf(row, 'totalAmount', 'whole'),
  });
}

interface ShownCells {
  /** A cell as its column writes its numbers. */
  readonly cell: (row: number, field: NumericField) => ReadCell | undefined;
  /** Whether a point may be missing in what such a cell shows. */
  readonly lacksPoint: (shown: ReadCell) => boolean;
}

function shownCells({ lineRows, cellOf, has, mayBeNegative }: NumberColumns): ShownCells {
  const doses = lineRows.map((row) => cellOf(row, 'quantity'));
  const inTablets = mayBeNegative ? null : withTabletUnits(doses);
  const areParts = arePartsOfOne(doses, has('timesPerDay'));
  const places = fixedPlacesOf(doses);
  const pointless = withoutPoint(doses);
  const restored = withLostPoints(doses);
  const cellsOf = (field: NumericField) => lineRows.map((row) => cellOf(row, field));
  const counts = new Map([
    ...(mayBeNegative ? [] : withoutStrayDigit(cellsOf('days'))),
    ...withoutSpecks(cellsOf('timesPerDay')),
    ...withoutSpecks(cellsOf('days')),
  ]);
  const besideOf = (row: number, field: NumericField) =>
    NUMERIC_FIELDS.filter((other) => other !== field).flatMap((other) => cellOf(row, other) ?? []);
  const cell = (row: number, field: NumericField): ReadCell | undefined => {
    const own = cellOf(row, field);
    if (!own) return own;
    if (field === 'quantity' && isPartOfOne(own)) {
      if (!areParts) return { ...own, numeral: null };
      const dose = withoutParts(own.text);
      return { ...own, text: dose, numeral: dose };
    }
    const alone = levelNumber(own, besideOf(row, field));
    const byColumn = () => {
      const shown = ofFirstColumn(field === 'quantity' ? (inTablets?.get(own) ?? alone) : alone);
      if (field === 'days' || field === 'timesPerDay') return counts.get(own) ?? shown;
      if (field !== 'quantity') return shown;
      return restored.get(own) ?? (places === null ? shown : inFixedPlaces(shown, places));
    };
    const [shown, printed] = [byColumn(), ofFirstColumn(alone)];
    // What a column's other numbers say of one that print left open is a reading; of one that was surely read it is a doubt.
    return isSurelyRead(own) && numeralOf(shown) !== numeralOf(printed) && !prints(own, numeralOf(shown))
      ? doubted(printed)
      : shown;
  };
  return { cell, lacksPoint: (shown) => pointless.has(shown) };
}

/** Below it the recogniser itself holds other letters possible. */
const LEFT_OPEN = 0.95;

function isSurelyRead(cell: ReadCell): boolean {
  return !cell.crossed && readingOf(cell).confidence >= LEFT_OPEN;
}

/** Whether a number is one of those that a cell shows, between blanks or signs. */
function prints({ text }: ReadCell, numeral: string): boolean {
  return text.text.split(/[^\d.,]+/).includes(numeral);
}

/** Reads one number, with the reasons for doubt: its place, its neighbours, and its column's format. */
function fieldReader(
  { grid, lineRows, has, cellOf, mayBeNegative }: NumberColumns,
  shownOf: ShownCells,
): (row: number, field: NumericField, style: NumberStyle) => Field<number> {
  const cellsOf = (field: NumericField) => lineRows.map((row) => cellOf(row, field));
  const strays = strayNumbers(new Map(NUMERIC_FIELDS.filter(has).map((field) => [field, cellsOf(field)])));
  // Otherwise arithmetic finds a number that lacks a digit.
  const counts = (mayBeNegative ? [] : COUNTS).map(cellsOf);
  const among = (tell: typeof tallNumbers) => new Set(counts.flatMap((cells) => [...tell(cells)]));
  const [shifted, centred, tall] = [among(shiftedNumbers), among(centredNumbers), among(tallNumbers)];
  return (row, field, style) => {
    const cell = cellOf(row, field);
    if (!cell) return numberField(cell, style);
    const before = cell.column > 0 ? grid.at(row, cell.column - 1) : undefined;
    const next = cell.column + cell.columnSpan;
    const after = next < grid.columnCount ? grid.at(row, next) : undefined;
    const isSplit = isSplitBetween(before, cell) || isSplitBetween(cell, after);
    const shown = shownOf.cell(row, field)!;
    const isTwo =
      COUNTS.some((count) => count === field) &&
      ((cell.lines ?? []).some(({ pieces }) => areSeveral(pieces ?? [])) || hasStrayDigits(cell, numeralOf(shown)));
    const isUnlikely =
      field === 'quantity' &&
      (hasUnlikelyPlaces(shown) || hasOddPlace(numeralOf(shown)) || (!mayBeNegative && isThousands(shown, style)));
    const isDoubtful = isSplit || isTwo || shownOf.lacksPoint(shown) || isUnlikely;
    const read = numberField(isDoubtful ? doubted(shown) : shown, style);
    const number = mayBeNegative ? read : withoutSign(read);
    if (number.value === null) return number;
    // A larger number does not belong to the column, such as a code that a remark repeats.
    if (!mayBeNegative && number.value > MAX_COUNT) return { value: null, text: number.text, confidence: 0 };
    if (hasSeveralLines(cell)) return { ...number, doubt: 'joined' };
    if (strays.has(cell)) return { ...number, doubt: 'beside' };
    if (tall.has(cell)) return { ...number, doubt: 'crossed' };
    // A stroke may hide digits, but not if the rest would then be in another place.
    if (number.doubt === 'crossed' && number.confidence >= SURELY_READ && centred.has(cell))
      return withoutDoubt(number);
    return shifted.has(cell) ? { ...number, doubt: 'shifted' } : number;
  };
}

/** Of the print of a cell, pixels. */
function heightOf(cell: ReadCell | undefined): number {
  return Math.max(0, ...(cell ? linesOf(cell) : []).map(({ box }) => box.height));
}

/** Whether several lines of a cell are numbers: read as one, they are none of the cell's. */
function hasSeveralLines({ lines = [] }: ReadCell): boolean {
  return areSeveral(lines.filter(({ text }) => text !== ''));
}

function withoutDoubt({ value, text, confidence }: Field<number>): Field<number> {
  return { value, text, confidence };
}
