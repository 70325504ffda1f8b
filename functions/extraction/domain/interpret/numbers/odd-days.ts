import { doubtedReading } from '../../reading/reading-parts.ts';
import type { ReadCell } from '../../reading/table-reader.ts';
import { numeralOf } from './cell-values.ts';
import { doubted } from './split-numbers.ts';

/** Days of three digits, which are few; longer than a year a drug is not prescribed at once. */
const LONG = /^(?<days>[1-9]\d)(?<last>\d)$/;
const MAX_DAYS = 365;
/** What a rule or a pen's stroke behind a number is read as. */
const STROKE = /[17]/;

/**
 * Days with a digit behind them that is none of theirs: they are what other rows say without it, or more than a year and the digit is a stroke.
 * Doubted, as all others of more than a year are.
 */
export function withoutStrayDigit(cells: readonly (ReadCell | undefined)[]): ReadonlyMap<ReadCell, ReadCell> {
  const inked = cells.flatMap((cell) => (cell && !cell.blank ? [cell] : []));
  const written = inked.map(numeralOf);
  return new Map(
    inked.flatMap((cell) => {
      const text = numeralOf(cell);
      const { days, last } = LONG.exec(text)?.groups ?? {};
      if (days === undefined || written.filter((other) => other === text).length > 1) return [];
      const isLong = Number(text) > MAX_DAYS;
      if (written.includes(days) || (isLong && STROKE.test(last!))) {
        const read = doubtedReading({ text: days, confidence: cell.text.confidence });
        return [[cell, { ...cell, text: read, numeral: read }] as const];
      }
      return isLong ? [[cell, doubted(cell)] as const] : [];
    }),
  );
}
