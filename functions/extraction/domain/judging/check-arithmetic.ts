import type { DrugLine, DrugTable } from '../drug-line.ts';
import { amountHolds, dosageHolds, type NumericField, product, ROUNDINGS } from '../sheet-arithmetic.ts';
import { FIELD_NAMES } from './field-names.ts';
import { type Finding, red, yellow } from './finding.ts';
import { customsFor, numbersOf } from './sheet-customs.ts';
import { ROUNDING_TOLERANCE } from './thresholds.ts';

/** What callers are given; the times a day only help to check it. */
const REPORTED: readonly NumericField[] = ['quantity', 'days', 'prescribedQty', 'unitPrice', 'totalAmount'];

/**
 * Checks that a line's numbers agree, and that every one of them takes part in an equation: a number that nothing confirms
 * may be misread however sure its reading is.
 */
export function checkArithmetic(table: DrugTable, lineIndex: number): readonly Finding[] {
  const line = table.lines[lineIndex]!;
  const customs = customsFor(table, lineIndex);
  const confirmed = new Set<NumericField>();
  const findings: Finding[] = [];
  if (customs.dosage) findings.push(...checkDosage(line, customs.dosage, confirmed));
  if (customs.amount) findings.push(...checkAmount(line, customs.amount, customs.roundings, confirmed));
  return [...findings, ...findUnproven(table, line, confirmed, findings)];
}

function checkDosage(line: DrugLine, factors: readonly NumericField[], confirmed: Set<NumericField>): Finding[] {
  const numbers = numbersOf(line);
  const holds = dosageHolds(numbers, factors);
  if (holds === null) return [];
  for (const field of [...factors, 'prescribedQty'] as const) confirmed.add(field);
  if (holds) return [];
  const equation = `${spell(line, factors)} is ${product(numbers, factors)}`;
  return [red('quantity_contradiction', `${equation}, not the prescribed quantity ${numbers.prescribedQty}`)];
}

function checkAmount(
  line: DrugLine,
  factors: readonly NumericField[],
  roundings: readonly (keyof typeof ROUNDINGS)[],
  confirmed: Set<NumericField>,
): Finding[] {
  const numbers = numbersOf(line);
  const exact = product(numbers, [...factors, 'unitPrice']);
  const printed = numbers.totalAmount ?? null;
  if (exact === null || printed === null) return [];
  for (const field of [...factors, 'unitPrice', 'totalAmount'] as const) confirmed.add(field);
  const expected = new Set(roundings.map((rounding) => ROUNDINGS[rounding](exact)));
  const equation = `${spell(line, [...factors, 'unitPrice'])} is ${exact}`;
  if (expected.has(printed)) {
    if (expected.size === 1) return [];
    return [yellow('amount_rounding', `${equation}, the amount ${printed}; no other line shows how this sheet rounds`)];
  }
  const difference = Math.abs(printed - exact);
  const nearEnough = difference <= Math.max(ROUNDING_TOLERANCE.krw, exact * ROUNDING_TOLERANCE.share);
  return nearEnough
    ? [yellow('amount_rounding', `${equation}, the amount is ${printed}: not how this sheet rounds`)]
    : [red('amount_contradiction', `${equation}, not the amount ${printed}`)];
}

function findUnproven(
  table: DrugTable,
  line: DrugLine,
  confirmed: ReadonlySet<NumericField>,
  findings: readonly Finding[],
): Finding[] {
  if (findings.some(({ severity }) => severity === 'red')) return [];
  return REPORTED.filter(
    (field) => table.columns.has(field) && line[field].value !== null && !confirmed.has(field),
  ).map((field) =>
    yellow('unproven_value', `nothing on the sheet confirms the ${FIELD_NAMES[field]} ${line[field].value}`),
  );
}

function spell(line: DrugLine, factors: readonly NumericField[]): string {
  return factors.map((factor) => `${FIELD_NAMES[factor]} ${line[factor].value}`).join(' × ');
}

/** Whether a line's own equation vouches for its amount; what does not may explain a total that differs. */
export function amountIsProven(table: DrugTable, lineIndex: number): boolean {
  const { amount } = customsFor(table, lineIndex);
  return amount !== null && amountHolds(numbersOf(table.lines[lineIndex]!), amount) === true;
}
