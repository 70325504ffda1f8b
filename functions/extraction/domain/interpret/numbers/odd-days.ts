import { doubtedReading } from '../../reading/reading-parts.ts';
import type { ReadCell } from '../../reading/table-reader.ts';
import { numeralOf } from './cell-values.ts';
import { doubted } from './split-numbers.ts';

/** Days of three digits, which are few; longer than a year a drug is not prescribed at once. */
const LONG = /^(?<days>[1-9]\d)(?<last>\d)$/;
const MAX_DAYS = 365;
/** Misreadings of a rule or a pen's stroke behind a number. */
const STROKE = /[17]/;

/**
 * Days with a stray digit behind them: without it they equal those of other rows, or with it they exceed a year and the digit is a
 * stroke. Doubted, as are all others of more than a year.
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
