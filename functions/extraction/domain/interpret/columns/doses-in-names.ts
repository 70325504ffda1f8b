import { doubtedReading, partOf } from '../../reading/reading-parts.ts';
import type { ReadCell } from '../../reading/table-reader.ts';
import type { Grid } from '../grid.ts';
import type { ColumnAssignment } from './assign-columns.ts';

/** Digits behind a name that are none of its own strengths or packs: behind a letter, or a blank behind a bracket. */
const BEHIND_NAME = /^(?<name>.*(?:[^\d\s.,/(~_-]|\((?=\s)))[\s_]{0,2}(?<digits>0|[1-9]\d{0,2}|\d\.\d{0,4})$/ds;
/** Codes of remarks end in digits, too. */
const WORD = /\p{Script=Hangul}{2}/u;
const UNIT = /^\p{L}{1,3}$/u;
const DECIMALS = /^\.\d{1,4}(?!\d)/;
/**
 * Digits that a point before them turns into halves, quarters, thirds or eighths: other digits are doses themselves, next to a strength
 * cut off at 0.
 */
const POINTLESS = /^(?:5|[27]5|3{1,4}|6{1,3}7|\d25|[1368]75)(?![\d.,])/;
/** A single row may have a name that ends in a number, next to an unread dose; but not in a fraction before a unit. */
const MIN_ROWS = 2;
const FRACTION_WITH_UNIT = /^\d\.\d{1,4}\p{L}/u;

/** The cells of a line's name and of its dose, side by side. */
export interface NameAndDose {
  readonly drugName: ReadCell;
  readonly quantity: ReadCell;
}

/** By row, the cells of names with adjacent doses, and those of the doses, where the border between them runs through digits. */
export function dosesOnBorder(
  grid: Grid,
  columns: ColumnAssignment,
  lineRows: readonly number[],
): ReadonlyMap<number, NameAndDose> {
  const [name, dose] = [columns.get('drugName'), columns.get('quantity')];
  if (name === undefined || dose === undefined) return new Map();
  const rows = lineRows.flatMap((row) => {
    const [drugName, quantity] = [grid.at(row, name), grid.at(row, dose)];
    if (!drugName || !quantity || quantity.column !== name + drugName.columnSpan) return [];
    return [[row, { drugName, quantity }] as const];
  });
  return dosesInNames(new Map(rows));
}

/**
 * Print that is shifted against its form has doses on the border of their column, so that their first digits are read with the names, and
 * units or decimals are all that their own cells show: there the dose is put together. Doubted: a digit on a rule may be another one.
 * @returns the cells of such rows, as if read so.
 */
export function dosesInNames(rows: ReadonlyMap<number, NameAndDose>): ReadonlyMap<number, NameAndDose> {
  const found = new Map(
    [...rows].flatMap(([row, cells]) => {
      const whole = parted(cells);
      return whole ? [[row, whole] as const] : [];
    }),
  );
  // Where most doses lack their first digit, the names' digits are their own: a strength that is cut off.
  const decimals = [...rows].filter(([, { quantity }]) => DECIMALS.test(quantity.text.text));
  if (decimals.filter(([row]) => found.has(row)).length * 2 <= decimals.length)
    for (const [row] of decimals) found.delete(row);
  const isClear = [...found].some(
    ([row, { quantity }]) =>
      UNIT.test(rows.get(row)!.quantity.text.text) && FRACTION_WITH_UNIT.test(quantity.text.text),
  );
  return found.size < MIN_ROWS && !isClear ? new Map() : found;
}

function parted({ drugName, quantity }: NameAndDose): NameAndDose | null {
  const { name, digits } = BEHIND_NAME.exec(drugName.text.text)?.indices?.groups ?? {};
  if (!name || !digits || !WORD.test(drugName.text.text)) return null;
  const first = partOf(drugName.text, ...digits);
  const text = wholeDose(first.text, quantity.blank ? '' : quantity.text.text);
  if (text === null) return null;
  const confidence = quantity.blank ? first.confidence : Math.min(first.confidence, quantity.text.confidence);
  const dose = doubtedReading({ text, confidence });
  return {
    drugName: { ...drugName, text: partOf(drugName.text, ...name) },
    quantity: { ...quantity, blank: false, text: dose, numeral: dose },
  };
}

/** The digits before the border and the text behind it; null if that text is a dose by itself. */
function wholeDose(digits: string, rest: string): string | null {
  if (rest === '') return digits.endsWith('.') ? null : digits;
  if (UNIT.test(rest)) return digits + rest;
  if (DECIMALS.test(rest) && !digits.includes('.')) return digits + rest;
  if (POINTLESS.test(rest) && /^0\.?$/.test(digits)) return `0.${rest}`;
  return null;
}
