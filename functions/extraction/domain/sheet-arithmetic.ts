import type { TableField } from './reading/template.ts';

export type NumericField = Exclude<TableField, 'drugCode' | 'drugName'>;
export type Numbers = Readonly<Partial<Record<NumericField, number | null>>>;

/** In the order in which sheets usually print them. */
export const NUMERIC_FIELDS: readonly NumericField[] = [
  'quantity',
  'timesPerDay',
  'days',
  'prescribedQty',
  'unitPrice',
  'totalAmount',
];

/** Fields that hold whole numbers. */
export const WHOLE_FIELDS: ReadonlySet<TableField> = new Set(['timesPerDay', 'days', 'unitPrice', 'totalAmount']);

/** Factors of the prescribed quantity, the fullest form first. */
export const DOSAGE_FORMS: readonly (readonly NumericField[])[] = [
  ['quantity', 'timesPerDay', 'days'],
  ['quantity', 'days'],
  ['quantity', 'timesPerDay'],
  ['quantity'],
];

/** Factors of the unit price; in monthly sheets the quantity is the total already. */
export const AMOUNT_FORMS: readonly (readonly NumericField[])[] = [['prescribedQty'], ...DOSAGE_FORMS];

/** Product of some numbers of a line; null when one of them is missing. Free of binary fractions: 0.1 × 3 is 0.3. */
export function product(numbers: Numbers, factors: readonly NumericField[]): number | null {
  let result = 1;
  for (const factor of factors) {
    const value = numbers[factor];
    if (value === null || value === undefined) return null;
    result *= value;
  }
  return Math.round(result * 1e6) / 1e6;
}

/** The ways in which sheets bring an amount to whole KRW, or to whole tens of them. */
export const ROUNDINGS = {
  floor: Math.floor,
  round: Math.round,
  ceil: Math.ceil,
  floorTens: (amount: number) => Math.floor(amount / 10) * 10,
  roundTens: (amount: number) => Math.round(amount / 10) * 10,
} as const satisfies Record<string, (amountKrw: number) => number>;

export type Rounding = keyof typeof ROUNDINGS;

/** Whether the prescribed quantity is the product of `factors`; null when a number is missing. */
export function dosageHolds(numbers: Numbers, factors: readonly NumericField[]): boolean | null {
  const expected = product(numbers, factors);
  const printed = numbers.prescribedQty ?? null;
  return expected === null || printed === null ? null : Math.abs(expected - printed) < 1e-6;
}

/** Whether the amount is price × `factors` in any of the usual roundings; null when a number is missing. */
export function amountHolds(numbers: Numbers, factors: readonly NumericField[]): boolean | null {
  const exact = product(numbers, [...factors, 'unitPrice']);
  const printed = numbers.totalAmount ?? null;
  if (exact === null || printed === null) return null;
  return Object.values(ROUNDINGS).some((rounding) => rounding(exact) === printed);
}
