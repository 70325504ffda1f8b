import type { DrugLine, DrugTable, Field } from '../drug-line.ts';
import { dosageHolds, NUMERIC_FIELDS, type NumericField, product, ROUNDINGS } from '../sheet-arithmetic.ts';
import { type Finding, red, yellow } from './finding.ts';
import { type Conventions, conventionsOf, numbersOf } from './sheet-conventions.ts';
import { HIGH_CONFIDENCE, MAX_UNSURE_COLUMN, MAX_UNSURE_SHARE, ROUNDING_TOLERANCE } from './thresholds.ts';

/** Fields of the response; the times a day only help to check them. */
const REPORTED: readonly NumericField[] = ['quantity', 'days', 'prescribedQty', 'unitPrice', 'totalAmount'];

/**
 * Checks that a line's numbers agree, and that every one of them takes part in an equation: a number that nothing confirms
 * may be misread however sure its reading is.
 */
export function checkArithmetic(table: DrugTable, lineIndex: number): readonly Finding[] {
  const line = table.lines[lineIndex]!;
  const conventions = conventionsOf(table, lineIndex);
  const confirmed = new Set<NumericField>();
  const findings: Finding[] = [];
  if (conventions.dosage) findings.push(...checkDosage(line, conventions.dosage, confirmed));
  if (conventions.amount) findings.push(...checkAmount(line, conventions.amount, conventions.roundings, confirmed));
  return [...findings, ...findUnproven(table, line, confirmed, findings)];
}

function checkDosage(line: DrugLine, factors: readonly NumericField[], confirmed: Set<NumericField>): Finding[] {
  const numbers = numbersOf(line);
  const holds = dosageHolds(numbers, factors);
  if (holds === null) return [];
  for (const field of [...factors, 'prescribedQty'] as const) confirmed.add(field);
  if (holds) return [];
  const equation = { factors: valuesOf(line, factors), product: product(numbers, factors)! };
  return [red('quantity_contradiction', { ...equation, printed: numbers.prescribedQty! })];
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
  if (roundings.some((rounding) => ROUNDINGS[rounding](exact) === printed)) return [];
  const equation = { factors: valuesOf(line, [...factors, 'unitPrice']), product: exact, printed };
  const difference = Math.abs(printed - exact);
  const nearEnough = difference <= Math.max(ROUNDING_TOLERANCE.krw, exact * ROUNDING_TOLERANCE.share);
  return [nearEnough ? yellow('amount_rounding', equation) : red('amount_contradiction', equation)];
}

function findUnproven(
  table: DrugTable,
  line: DrugLine,
  confirmed: ReadonlySet<NumericField>,
  findings: readonly Finding[],
): Finding[] {
  if (findings.some(({ severity }) => severity === 'red')) return [];
  const isPrescribed = isPrescription(table);
  const isDoubtful = (field: NumericField) => !isPrescribed || !standsAlone(table, field, line[field].confidence);
  return REPORTED.filter(
    (field) =>
      table.columns.has(field) &&
      line[field].value !== null &&
      !confirmed.has(field) &&
      (isDoubtful(field) || (field === 'quantity' && isCutThird(table, line))),
  ).map((field) => yellow('unproven_value', { field, value: line[field].value! }));
}

/**
 * A sheet of doses and days without prices and amounts, whose numbers cannot be checked. A sheet that lacks the days as well is rather a
 * sheet of amounts whose columns were not found.
 */
function isPrescription({ columns }: DrugTable): boolean {
  return columns.has('quantity') && columns.has('days') && !columns.has('unitPrice') && !columns.has('totalAmount');
}

/** A third or two of them, with the digit that repeats. */
const THIRD = /\.(?<digits>3{2,}|6{2,})$/;

/**
 * A third of a tablet that may have lost its last digits, which read as surely without them: programs round two thirds up
 * (0.667), and write all doses of a sheet with as many digits, four where they do not say how many.
 */
function isCutThird({ lines }: DrugTable, line: DrugLine): boolean {
  const digits = THIRD.exec(String(line.quantity.value))?.groups?.digits;
  if (digits === undefined) return false;
  if (digits.startsWith('6')) return true;
  const others = lines.filter((other) => other !== line).map(({ quantity }) => quantity);
  if (others.some(({ text }) => decimalsIn(text) > digits.length)) return true;
  // Another third may have lost the same digit.
  const whole = others.filter(({ value }) => !THIRD.test(String(value)));
  return digits.length === 3 && !whole.some(({ text }) => decimalsIn(text) === 3);
}

function decimalsIn(text: string): number {
  return /\d[.,](\d+)/.exec(text)?.[1]?.length ?? 0;
}

/**
 * Whether a number that nothing confirms was read surely: it and most of its column, on a sheet that is clearly read. Elsewhere it
 * takes a still surer one.
 */
function standsAlone({ lines }: DrugTable, field: NumericField, confidence: number): boolean {
  if (confidence < HIGH_CONFIDENCE.unchecked) return false;
  const numbers = lines.flatMap((line) => NUMERIC_FIELDS.map((each) => line[each]));
  if (unsureShareOf(numbers) <= MAX_UNSURE_SHARE) return true;
  const column = lines.map((line) => line[field]);
  return confidence >= HIGH_CONFIDENCE.alone && unsureShareOf(column) <= MAX_UNSURE_COLUMN;
}

/** Of the numbers that were read; a single one that is unsure is not a share. */
function unsureShareOf(numbers: readonly Field<number>[]): number {
  const read = numbers.filter(({ value }) => value !== null);
  const unsure = read.filter(({ confidence }) => confidence < HIGH_CONFIDENCE.unchecked).length;
  return unsure <= 1 ? 0 : unsure / read.length;
}

function valuesOf(line: DrugLine, factors: readonly NumericField[]) {
  return factors.map((field) => ({ field, value: line[field].value! }));
}

/** In KRW: how far the roundings of a sheet may move an amount. */
const ROUNDED = { whole: 1, tens: 10 };

/**
 * Numbers of a line whose unit price is the list's that its own equations prove, though one of each was read unsurely: with any other value of it
 * they would not hold.
 */
export function provenNumbers(table: DrugTable, lineIndex: number): ReadonlySet<NumericField> {
  const line = table.lines[lineIndex]!;
  const conventions = conventionsOf(table, lineIndex);
  const { amount, dosage, roundings } = conventions;
  if (amount === null || slackKrw(line, conventions) === null) return new Set();
  const unsure = [...amount, 'totalAmount' as const].filter((field) => isUnsure(line[field]));
  const [first] = unsure;
  const steps = roundings.some((rounding) => rounding.endsWith('Tens')) ? ROUNDED.tens : ROUNDED.whole;
  if (unsure.length > 1) return new Set();
  if (first && first !== 'totalAmount' && leastStep(line, first, [...amount, 'unitPrice']) < steps) return new Set();
  const proven = new Set<NumericField>([...amount, 'unitPrice', 'totalAmount']);
  const isDosed = dosage !== null && proven.has('prescribedQty') && dosageHolds(numbersOf(line), dosage) === true;
  if (isDosed && dosage.filter((field) => isUnsure(line[field])).length <= 1)
    for (const field of dosage) proven.add(field);
  return proven;
}

function isUnsure({ confidence }: Field<number>): boolean {
  return confidence < HIGH_CONFIDENCE.number;
}

/** How much one unit of a factor's last digit moves the product. */
function leastStep(line: DrugLine, factor: NumericField, factors: readonly NumericField[]): number {
  const value = line[factor].value!;
  const unit = 10 ** -(String(value).split('.')[1]?.length ?? 0);
  return (product(numbersOf(line), factors)! / value) * unit;
}

/** KRW by which the rounding of a line's own equation leaves its amount open; null when the equation does not prove it. */
export function amountSlackKrw(table: DrugTable, lineIndex: number): number | null {
  return slackKrw(table.lines[lineIndex]!, conventionsOf(table, lineIndex));
}

function slackKrw(line: DrugLine, { amount, roundings }: Conventions): number | null {
  const numbers = numbersOf(line);
  const exact = amount && product(numbers, [...amount, 'unitPrice']);
  if (exact === null) return null;
  const expected = roundings.map((rounding) => ROUNDINGS[rounding](exact));
  const isProven = expected.some((amountKrw) => amountKrw === numbers.totalAmount);
  return isProven ? Math.max(...expected) - Math.min(...expected) : null;
}
