import type { DrugTable } from '../drug-line.ts';
import {
  AMOUNT_FORMS,
  amountHolds,
  DOSAGE_FORMS,
  dosageHolds,
  type Numbers,
  type NumericField,
} from '../sheet-arithmetic.ts';
import { numbersOf } from './sheet-conventions.ts';
import { LINES_THAT_PROVE } from './thresholds.ts';

/** Prices and amounts are found by arithmetic alone; these resemble each other: 3 × 7 is 7 × 3. */
const ALIKE: readonly NumericField[] = ['quantity', 'timesPerDay', 'days', 'prescribedQty'];
/** Share of the lines that may be misread or misprinted without the sheet ceasing to prove anything. */
const MIN_SHARE = 0.8;
const MAX_TIMES_PER_DAY = 6;
const MAX_DAYS = 365;

/** A field for each column without a readable header. */
type Reading = ReadonlyMap<NumericField, NumericField>;

/**
 * Columns without a readable header that may hold another field than they were taken for. A column is proven when the
 * whole sheet's arithmetic holds with it, and on several lines less of it does under every other reading.
 */
export function unprovenColumns(table: DrugTable): ReadonlySet<NumericField> {
  const inferred = ALIKE.filter((field) => table.inferredColumns.has(field));
  if (inferred.length === 0) return new Set();
  const lines = table.lines.map(numbersOf).filter((numbers) => inferred.every((field) => numbers[field] != null));
  const equations = (reading: Reading) => lines.map((numbers) => equationsThatHold(table, numbers, reading));
  const own = equations(new Map(inferred.map((field) => [field, field])));
  if (own.filter((count) => count > 0).length < lines.length * MIN_SHARE) return new Set(inferred);
  const open = otherReadings(inferred, table).filter((reading) => {
    const other = equations(reading);
    return own.filter((count, line) => count > other[line]!).length < LINES_THAT_PROVE;
  });
  return new Set(inferred.filter((field) => open.some((reading) => reading.get(field) !== field)));
}

/** Every other way to give the columns to fields that no header announces, or to none of ours. */
function otherReadings(inferred: readonly NumericField[], { columns }: DrugTable): readonly Reading[] {
  const open = ALIKE.filter((field) => inferred.includes(field) || !columns.has(field));
  let readings: Reading[] = [new Map()];
  for (const column of inferred)
    readings = readings.flatMap((reading) => {
      const free = open.filter((field) => ![...reading.values()].includes(field));
      return [reading, ...free.map((field) => new Map([...reading, [column, field]]))];
    });
  return readings.filter((reading) => inferred.some((field) => reading.get(field) !== field));
}

/** Number of the sheet's equations that a line satisfies when read so; none when one fails or a number is impossible. */
function equationsThatHold(table: DrugTable, numbers: Numbers, reading: Reading): number {
  const read: Partial<Record<NumericField, number | null>> = { ...numbers };
  for (const field of ALIKE) if (table.inferredColumns.has(field)) read[field] = null;
  for (const [column, field] of reading) read[field] = numbers[column] ?? null;
  if (!isPossible(read.timesPerDay, MAX_TIMES_PER_DAY) || !isPossible(read.days, MAX_DAYS)) return 0;
  const equations = [
    DOSAGE_FORMS.map((form) => dosageHolds(read, form)),
    AMOUNT_FORMS.map((form) => amountHolds(read, form)),
  ].filter((forms) => forms.some((outcome) => outcome !== null));
  return equations.every((forms) => forms.includes(true)) ? equations.length : 0;
}

function isPossible(count: number | null | undefined, max: number): boolean {
  return count === null || count === undefined || (Number.isInteger(count) && count <= max);
}
