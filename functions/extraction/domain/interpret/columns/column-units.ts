import type { Grid } from '../grid.ts';
import type { ColumnKind, HeaderMatch } from '../headers/header-words.ts';
import { DRUG_UNIT } from '../numbers/drug-units.ts';
import type { ColumnEvidence } from './column-evidence.ts';

type Unit = 'quantity' | 'timesPerDay' | 'days';

const UNITS: readonly (readonly [Unit, RegExp])[] = [
  ['timesPerDay', /^\d[\d.,]*\s?회$/],
  ['days', /^\d[\d.,]*\s?일(?:분|간)?$/],
  ['quantity', new RegExp(String.raw`^\d[\d.,]*\s?(?:${DRUG_UNIT}|[TC]|tab|cap)씩?$`)],
];
/** Minimum lines for units to decide a column's field. */
const MIN_LINES = 2;

/**
 * Columns of counts corrected by their units, if all cells print one: 3회 is not a dose and 1정 not a number of days, under any header
 * word. A word over numbers without units stays.
 */
export function withUnits(columns: readonly ColumnEvidence[], grid: Grid, lineRows: readonly number[]) {
  const units = new Map(columns.map((evidence) => [evidence, unitOf(grid, evidence.column, lineRows)]));
  const isContradicted = (evidence: ColumnEvidence) => {
    const [unit, kind] = [units.get(evidence), evidence.header?.kind];
    return unit != null && isCount(kind) && kind !== unit;
  };
  const isTaken = (unit: Unit) =>
    columns.some((evidence) => evidence.header?.kind === unit && evidence.inkShare > 0 && !isContradicted(evidence));
  const count = (unit: Unit) => [...units.values()].filter((other) => other === unit).length;
  return columns.map((evidence) => {
    const unit = units.get(evidence);
    if (unit == null || (evidence.header && !isContradicted(evidence))) return evidence;
    const isOnly = count(unit) === 1 && !isTaken(unit);
    if (!isOnly && !evidence.header) return evidence;
    return { ...evidence, header: announced(isOnly ? unit : 'other'), hints: new Map<ColumnKind, number>() };
  });
}

function isCount(kind: ColumnKind | undefined): boolean {
  return kind === 'quantity' || kind === 'timesPerDay' || kind === 'days';
}

function announced(kind: ColumnKind): HeaderMatch {
  return { kind, score: 1, drugWord: false, secondary: false };
}

/** The unit that all cells of a column print; null where one prints none or another. */
function unitOf(grid: Grid, column: number, lineRows: readonly number[]): Unit | null {
  const texts = lineRows.flatMap((row) => {
    const cell = grid.at(row, column);
    return cell && !cell.blank ? [cell.text.text.trim()] : [];
  });
  if (texts.length < MIN_LINES) return null;
  return UNITS.find(([, form]) => texts.every((text) => form.test(text)))?.[0] ?? null;
}
