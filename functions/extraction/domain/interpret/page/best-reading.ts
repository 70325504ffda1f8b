import { hasCompanyPrefix, isOldCode, isWholeCode } from '../../master/drug-code.ts';
import type { InterpretedTable } from '../interpret-table.ts';
import { isRemarkLine } from '../lists/remark-lines.ts';
import { looksLikeDrugName } from '../names/drug-names.ts';
import { MEASURES } from './other-lines.ts';

const REPORTED = [...MEASURES, 'unitPrice'] as const;
/** A code says which drug it is; everything else can be looked up or missing. */
const CODE_WEIGHT = 3;
const OTHER_NAME_WEIGHT = 0.5;
/** Several numbers that no header announces, as where those of others were misread, are no better than one that one does. */
const INFERRED_WEIGHT = 0.25;
/** Closes a bracket that it does not open. */
const ENDS_NAME = /^[^()[\]\p{L}]*\p{L}[^()[\]]*[)\]]/u;

/** The reading of a page in which most was understood; the first of several as good. @param tablesOf its tables of drugs. */
export function bestReading<T>(readings: readonly T[], tablesOf: (reading: T) => readonly InterpretedTable[]): T {
  return readings.reduce((best, next) => (isBetter(tablesOf(next), tablesOf(best)) ? next : best));
}

/** Whether more was understood; or as much, and more columns seen: that a column's numbers were not read is worth knowing. */
function isBetter(next: readonly InterpretedTable[], best: readonly InterpretedTable[]): boolean {
  const columnsOf = (tables: readonly InterpretedTable[]) =>
    new Set(tables.flatMap(({ columns }) => [...columns])).size;
  const more = weightOf(next) - weightOf(best);
  return more > 0 || (more === 0 && columnsOf(next) > columnsOf(best));
}

/** Amount of understood drug lines: codes, names, and their numbers. */
function weightOf(tables: readonly InterpretedTable[]): number {
  let weight = 0;
  for (const { lines, inferredColumns } of tables) {
    for (const line of lines) {
      const code = line.drugCode.value ?? '';
      const isCoded = hasCompanyPrefix(code);
      // A remark below a name is not a name.
      const name = isRemarkLine(line.drugName.value ?? '') ? null : line.drugName.value;
      const isLikeCode = isOldCode(code) || isWholeCode(code);
      // The end of a wrapped name is not a separate drug.
      if (!isCoded && !isLikeCode && ENDS_NAME.test(name ?? '')) continue;
      weight += (isCoded ? CODE_WEIGHT : isLikeCode ? 1 : 0) + weightOfName(name);
      // Numbers next to a date or a diagnosis do not belong to a drug, and unannounced ones may mean anything.
      if (!isCoded && !looksLikeDrugName(name ?? '')) continue;
      for (const field of REPORTED)
        if (line[field].value !== null) weight += inferredColumns.has(field) ? INFERRED_WEIGHT : 1;
    }
  }
  return weight;
}

/** Other print in the names' column is a nickname of a drug, or none of its name. */
function weightOfName(name: string | null): number {
  if (name === null) return 0;
  return looksLikeDrugName(name) ? 1 : OTHER_NAME_WEIGHT;
}
