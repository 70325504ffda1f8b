import type { DrugLine, DrugTable, Field } from '../drug-line.ts';
import { NUMERIC_FIELDS } from '../sheet-arithmetic.ts';
import { amountSlackKrw } from './check-arithmetic.ts';
import { type Finding, yellow } from './finding.ts';

export interface Completeness {
  /** Null when it is unknown. */
  readonly completeExtraction: boolean | null;
  /** By index of line. */
  readonly findings: ReadonlyMap<number, readonly Finding[]>;
}

/** Checks that every row gave a line with all the numbers that it prints, and that the sheet's totals agree; lines next to a gap need review. */
export function checkCompleteness(table: DrugTable): Completeness {
  const findings = new Map<number, Finding[]>();
  const note = (index: number, finding: Finding) => {
    const notes = findings.get(index) ?? [];
    if (!notes.some(({ kind }) => kind === finding.kind)) notes.push(finding);
    findings.set(index, notes);
  };

  const total = compareTotal(table);
  // A printed total that the lines add up to leaves no room for one more.
  const gaps = (table.unreadRows.length > 0 || !table.bounded) && total.difference !== 0;
  if (gaps) {
    for (const row of table.unreadRows)
      for (const index of neighboursOf(table, row)) note(index, yellow('table_incomplete.unread_row', {}));
    if (!table.bounded)
      for (const index of [0, table.lines.length - 1])
        if (table.lines[index]) note(index, yellow('table_incomplete.cut_off', {}));
  } else if (total.difference)
    for (const index of suspects(table, total.difference))
      note(index, yellow('total_mismatch', { sum: total.sum, printed: total.printed }));
  const count = table.printedTotals.lineCount;
  const { lines, fees = [] } = table;
  const countAgrees = count === null ? null : count === lines.length || count === lines.length + fees.length;
  if (countAgrees === false && total.difference !== 0)
    table.lines.forEach((_, index) => {
      note(index, yellow('table_incomplete.count', { printed: count!, read: table.lines.length }));
    });

  return { completeExtraction: conclude(table, gaps, total, countAgrees), findings };
}

interface TotalComparison {
  /** Printed total less the lines' sum, in KRW; null when the sheet prints no total, or the sum is not known. */
  readonly difference: number | null;
  readonly sum: number;
  readonly printed: number;
}

/** The total of a sheet may be that of its drugs, or include its fees. */
function compareTotal({ lines, fees = [], printedTotals }: DrugTable): TotalComparison {
  const printed = printedTotals.totalAmount;
  const sum = sumOf(lines);
  if (printed === null || sum === null) return { difference: null, sum: 0, printed: 0 };
  const ofFees = sumOf(fees);
  const agrees = ofFees !== null && printed === sum + ofFees;
  return { difference: agrees ? 0 : printed - sum, sum, printed };
}

function sumOf(lines: readonly DrugLine[]): number | null {
  const amounts = lines.map(({ totalAmount }) => totalAmount.value);
  return amounts.some((amount) => amount === null) ? null : amounts.reduce<number>((sum, amount) => sum + amount!, 0);
}

/**
 * Lines that may explain a total that differs: those whose amount their own arithmetic does not prove, or leaves open by
 * as much as is missing. Lines that are each proven outweigh the one number at the foot, which may be misread itself.
 */
function suspects(table: DrugTable, difference: number): readonly number[] {
  const slacks = table.lines.map((_, index) => amountSlackKrw(table, index));
  const linesWith = (test: (slack: number | null) => boolean) =>
    slacks.flatMap((slack, index) => (test(slack) ? [index] : []));
  const unproven = linesWith((slack) => slack === null);
  if (unproven.length > 0) return unproven;
  const open = slacks.reduce<number>((sum, slack) => sum + slack!, 0);
  return Math.abs(difference) <= open ? linesWith((slack) => slack! > 0) : [];
}

function conclude(
  table: DrugTable,
  gaps: boolean,
  total: TotalComparison,
  countAgrees: boolean | null,
): boolean | null {
  if (gaps || total.difference || table.lines.some((line) => fieldsOf(table, line).some(isUnread))) return false;
  // A sum that agrees outweighs a count that does not, but one of the two is wrong.
  if (countAgrees === false) return total.difference === 0 ? null : false;
  if (table.lines.length === 0) return null;
  const totalUnknown = table.printedTotals.totalAmount !== null && total.difference === null;
  return totalUnknown ? null : true;
}

function fieldsOf({ columns }: DrugTable, line: DrugLine): readonly Field<number>[] {
  return NUMERIC_FIELDS.filter((field) => columns.has(field)).map((field) => line[field]);
}

/** Printed, but not understood; an empty cell is surely empty. */
function isUnread({ value, confidence }: Field<number>): boolean {
  return value === null && confidence === 0;
}

/** The nearest lines over and under a row. */
function neighboursOf(table: DrugTable, row: number): readonly number[] {
  const above = table.lines.findLastIndex((line) => line.row < row);
  const below = table.lines.findIndex((line) => line.row > row);
  return [above, below].filter((index) => index >= 0);
}
