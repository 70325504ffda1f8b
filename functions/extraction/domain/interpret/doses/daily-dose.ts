import type { Field } from '../../drug-line.ts';
import type { TableField } from '../../reading/template.ts';
import type { ColumnAssignment } from '../columns/assign-columns.ts';
import type { ColumnEvidence } from '../columns/column-evidence.ts';

/** Rows with more than one time a day that show which dose is that of a day. */
const DAILY_ROWS = 2;
/** Of the rows, how many may differ: a number of one was misread. */
const MAX_MISREAD_SHARE = 0.2;
/** Prescriptions round doses to two places. */
const ROUNDED = 0.011;

/**
 * Leaves the quantity to the dose that is given at a time where headers name two doses alike, or name the one of a day while that of the
 * other was not read, or read as that of no field or of a surer column: it is, on the rows, that dose times the times a day.
 */
export function withoutDailyDose(columns: readonly ColumnEvidence[]): readonly ColumnEvidence[] {
  const doses = columns.filter(({ header }) => header?.kind === 'quantity');
  const times = surestOf('timesPerDay', columns);
  if (!times || doses.length === 0) return columns;
  const unread = columns.filter((column) => {
    const kind = column.header?.kind ?? 'other';
    return kind === 'other' || (kind === 'timesPerDay' && column !== times);
  });
  // A piece of one header may have been read with the other's: the column announced as the daily dose then holds the single dose.
  const announcedDaily = unread.filter(({ header }) => header?.secondary);
  const singles = new Map<ColumnEvidence, ColumnEvidence>();
  for (const daily of doses) {
    const others = [...doses, ...(daily.header!.secondary ? unread : announcedDaily)];
    const single = others.find((dose) => dose !== daily && isProduct(daily.quantities, dose.quantities, times.whole));
    if (single) singles.set(daily, single);
  }
  return columns.map((column) => {
    if (singles.has(column)) return { ...column, header: { ...column.header!, kind: 'other' } };
    const daily = unread.includes(column) && [...singles].find(([, single]) => single === column)?.[0];
    return daily ? { ...column, header: { ...daily.header!, secondary: false } } : column;
  });
}

function surestOf(field: TableField, columns: readonly ColumnEvidence[]): ColumnEvidence | undefined {
  const announced = columns.filter(({ header }) => header?.kind === field);
  return announced.sort((a, b) => b.header!.score - a.header!.score)[0];
}

function isProduct(
  products: readonly (number | null)[],
  doses: readonly (number | null)[],
  times: readonly (number | null)[],
): boolean {
  const rows = products.flatMap((product, row) => {
    const [dose, count] = [doses[row] ?? null, times[row] ?? null];
    if (product === null || dose === null || count === null) return [];
    const holds = [dose, ...withoutRule(dose)].some((each) => Math.abs(product - each * count) <= ROUNDED);
    return { holds, tells: count > 1 };
  });
  const held = rows.filter(({ holds }) => holds);
  return (
    rows.length - held.length <= rows.length * MAX_MISREAD_SHARE &&
    held.filter(({ tells }) => tells).length >= DAILY_ROWS
  );
}

/** The column of daily doses, next to that of single doses; null if the sheet has none. */
export function dailyColumnOf(columns: readonly ColumnEvidence[], assignment: ColumnAssignment): number | null {
  const [dose, times] = (['quantity', 'timesPerDay'] as const).map((field) =>
    columns.find(({ column }) => column === assignment.get(field)),
  );
  if (!dose || !times) return null;
  const assigned = new Set(assignment.values());
  const daily = columns.find(
    ({ column, quantities }) => !assigned.has(column) && isProduct(quantities, dose.quantities, times.whole),
  );
  return daily?.column ?? null;
}

/** Confidence from which the dose of a day and the times a day say what the dose is. */
const SURELY_READ = 0.9;
/** Below it the recogniser itself holds other letters possible. */
const LEFT_OPEN = 0.95;
/** That in a dose that was not read, or read as another one than they say. */
const CONTRADICTED = 0.5;
/** Programs print a third as 0.3333. */
const PLACES = 4;

/**
 * A dose checked by the daily dose. If they contradict, it is doubted; one that was read less surely than both takes the value that they
 * give only if print may have it: with a point that was lost, or without a rule before it. A dose that was not read stays so.
 */
export function besideDailyDose(dose: Field<number>, daily: Field<number>, times: Field<number>): Field<number> {
  if (!daily.value || !times.value || Math.min(daily.confidence, times.confidence) < SURELY_READ) return dose;
  const [day, count] = [daily.value, times.value];
  const gives = (value: number, ofDay = day) => Math.abs(value * count - ofDay) <= ROUNDED * count;
  const isSure = !dose.doubt && dose.confidence >= LEFT_OPEN;
  const part = withoutRule(dose.value).find((value) => gives(value));
  if (part !== undefined && !isSure)
    return { ...dose, value: part, confidence: Math.min(dose.confidence, CONTRADICTED) };
  if (daily.doubt || times.doubt) return dose;
  const { value: read } = dose;
  if (read !== null && [day, ...withPoints(day)].some((ofDay) => gives(read, ofDay))) return dose;
  const isLessSure = read === null || dose.doubt || dose.confidence < Math.min(daily.confidence, times.confidence);
  const given = withPoints(read).find((value) => gives(value));
  const value = isLessSure && !isSure ? (given ?? read) : read;
  return { ...dose, value, confidence: Math.min(dose.confidence || CONTRADICTED, CONTRADICTED) };
}

/** A part of one without the 1 that a rule before it may have been read as. */
function withoutRule(value: number | null): readonly number[] {
  return value !== null && Math.floor(value) === 10 && value > 10 ? [Number((value - 10).toFixed(PLACES))] : [];
}

/** Possible values of a whole number that has lost its point to a rule. */
function withPoints(value: number | null): readonly number[] {
  return value !== null && Number.isInteger(value) ? [10, 100, 1_000, 10_000].map((places) => value / places) : [];
}
