import type { ReadCell } from '../../reading/table-reader.ts';
import { doubtedReading } from './split-numbers.ts';

/** A dose in tablets, and one of which the T may have been read as a 7. */
const TABLETS = /^\d{1,3}(?:\.\d{1,4})? ?T$/;
const ENDS_IN_7 = /^(?<dose>\d{1,3}(?:\.\d{1,4})?)7$/;
/** The confidence in a text of which two readings differ is less. */
const UNSURE = 0.5;

/**
 * A column's doses with the T of tablets for the 7 that it was read as: where others print it, and the dose that ends in a 7 was not surely
 * read. Doubted.
 */
export function withTabletUnits(cells: readonly (ReadCell | undefined)[]): ReadonlyMap<ReadCell, ReadCell> {
  const inked = cells.flatMap((cell) => (cell && !cell.blank ? [cell] : []));
  if (!inked.some(({ text }) => TABLETS.test(text.text))) return new Map();
  return new Map(
    inked.flatMap((cell) => {
      const { text, confidence } = cell.text;
      const dose = confidence < UNSURE ? ENDS_IN_7.exec(text)?.groups?.dose : undefined;
      if (dose === undefined) return [];
      const read = doubtedReading({ text: dose, confidence });
      return [[cell, { ...cell, text: read, numeral: read }] as const];
    }),
  );
}
