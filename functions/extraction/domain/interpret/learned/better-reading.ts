import type { DrugLine, DrugTable } from '../../drug-line.ts';
import { hasCompanyPrefix, isWholeCode } from '../../master/drug-code.ts';
import type { KnownDrugs } from '../../master/known-drugs.ts';
import { NUMERIC_FIELDS } from '../../sheet-arithmetic.ts';
import { looksLikeDrugName } from '../names/drug-names.ts';
import { equationsOf } from './line-equations.ts';

/** Points of each thing that was understood, in the comparison of two readings. */
const WORTH = { code: 2, listed: 1, name: 0.5, drugName: 0.5, number: 0.5, holds: 1.5, fails: -1 } as const;

/**
 * Whether the network's reading of a page proves more than the rules' one: more codes, names and numbers, and more equations that hold. A
 * reading that lacks a code of the other one is never better, and one without any code only if the rules found no drugs.
 * @param lists of the rules; empty if they found no drugs.
 */
export function isBetterReading(learned: DrugTable, lists: readonly DrugTable[], known: KnownDrugs): boolean {
  const byRules = lists.flatMap(({ lines }) => lines);
  const codes = new Set(learned.lines.map(codeOf));
  if (byRules.some((line) => codeOf(line) !== null && !codes.has(codeOf(line)))) return false;
  if (lists.length > 0 && learned.lines.every((line) => codeOf(line) === null)) return false;
  return worthOf(learned.lines, known) > worthOf(byRules, known);
}

function codeOf({ drugCode: { value } }: DrugLine): string | null {
  return value !== null && isWholeCode(value) && hasCompanyPrefix(value) ? value : null;
}

function worthOf(lines: readonly DrugLine[], known: KnownDrugs): number {
  return lines.reduce((sum, line) => sum + worthOfLine(line, known), 0);
}

function worthOfLine(line: DrugLine, known: KnownDrugs): number {
  const code = codeOf(line);
  const name = line.drugName.value;
  const isDrugName = name !== null && looksLikeDrugName(name);
  // Numbers next to anything else do not belong to a drug.
  if (code === null && !isDrugName) return 0;
  const { holds, fails } = equationsOf((field) => (field === 'dailyDose' ? null : line[field].value));
  const numbers = NUMERIC_FIELDS.filter((field) => line[field].value !== null).length;
  return (
    (code === null ? 0 : WORTH.code) +
    (code !== null && known.pricesOf(code).length > 0 ? WORTH.listed : 0) +
    (name === null ? 0 : WORTH.name) +
    (isDrugName ? WORTH.drugName : 0) +
    numbers * WORTH.number +
    holds * WORTH.holds +
    fails * WORTH.fails
  );
}
