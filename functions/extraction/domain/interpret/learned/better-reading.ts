import type { DrugLine } from '../../drug-line.ts';
import { hasCompanyPrefix, isWholeCode } from '../../master/drug-code.ts';
import type { KnownDrugs } from '../../master/known-drugs.ts';
import { NUMERIC_FIELDS } from '../../sheet-arithmetic.ts';
import { looksLikeDrugName } from '../names/drug-names.ts';
import { equationsOf } from './line-equations.ts';

/** Points of each thing that was understood, in the comparison of two readings. */
const WORTH = { code: 2, listed: 1, name: 0.5, drugName: 0.5, number: 0.25, holds: 1.5, fails: -1, green: 1 } as const;
/** Of a line without a code on a page of codes: it is a part of another line, or no drug. */
const UNCODED = -0.5;

/** Lines that were read of a page, and how many of them were judged GREEN. */
export interface ProvenLines {
  readonly lines: readonly DrugLine[];
  readonly greens: number;
}

/**
 * Whether the network's reading of a page proves more than the rules' one: more codes, names and numbers, more equations that hold, and more
 * GREEN lines. A reading that lacks a code of the list that the other one has is never better, nor on a page without codes one that has fewer
 * names of the list.
 */
export function isBetterReading(learned: ProvenLines, rules: ProvenLines, known: KnownDrugs): boolean {
  const codes = new Set(learned.lines.map(codeOf));
  const lost = rules.lines.map(codeOf).filter((code) => code !== null && !codes.has(code));
  if (lost.some((code) => known.pricesOf(code!).length > 0)) return false;
  const isCoded = [...learned.lines, ...rules.lines].some((line) => codeOf(line) !== null);
  const namesOf = ({ lines }: ProvenLines) => lines.filter((line) => isListed(line, known)).length;
  if (!isCoded && namesOf(learned) < namesOf(rules)) return false;
  const worthOf = ({ lines, greens }: ProvenLines) =>
    lines.reduce((sum, line) => sum + worthOfLine(line, isCoded, known), WORTH.green * greens);
  return worthOf(learned) > worthOf(rules);
}

function codeOf({ drugCode: { value } }: DrugLine): string | null {
  return value !== null && isWholeCode(value) && hasCompanyPrefix(value) ? value : null;
}

function isListed({ drugName: { value } }: DrugLine, known: KnownDrugs): boolean {
  return value !== null && known.isNamed(value);
}

/** @param isCoded whether the page has codes. */
function worthOfLine(line: DrugLine, isCoded: boolean, known: KnownDrugs): number {
  const code = codeOf(line);
  const name = line.drugName.value;
  const isDrugName = name !== null && looksLikeDrugName(name);
  if (code === null && isCoded) return UNCODED;
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
