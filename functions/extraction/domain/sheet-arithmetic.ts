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

/** Denominators of the doses that no decimal number ends: a third of a tablet, a week's dose in seven parts. */
const ENDLESS = [3, 6, 7, 9] as const;
/** Decimals that a sheet prints of them at least: a single one may be any dose. */
const MIN_DECIMALS = 2;

/** The fractions that a dose may be, cut or rounded: 0.33 and 0.3333 are a third. */
function fractionsOf(dose: number): readonly number[] {
  const decimals = String(dose).split('.')[1]?.length ?? 0;
  if (decimals < MIN_DECIMALS) return [];
  const scale = 10 ** decimals;
  const printed = Math.round(dose * scale);
  return ENDLESS.map((parts) => Math.round(dose * parts) / parts).filter((fraction) =>
    [Math.floor, Math.round].some((cut) => cut(fraction * scale) === printed),
  );
}

/**
 * Whether the prescribed quantity is the product of `factors`, as printed or with the fraction that the dose is; null when a number is missing.
 */
export function dosageHolds(numbers: Numbers, factors: readonly NumericField[]): boolean | null {
  const expected = product(numbers, factors);
  const printed = numbers.prescribedQty ?? null;
  if (expected === null || printed === null) return null;
  const { quantity } = numbers;
  const fractions = quantity && factors.includes('quantity') ? fractionsOf(quantity) : [];
  return [expected, ...fractions.map((fraction) => (expected / quantity!) * fraction)].some(
    (product) => Math.abs(product - printed) < 1e-5,
  );
}

/** Whether the amount is price × `factors` in any of the usual roundings; null when a number is missing. */
export function amountHolds(numbers: Numbers, factors: readonly NumericField[]): boolean | null {
  const exact = product(numbers, [...factors, 'unitPrice']);
  const printed = numbers.totalAmount ?? null;
  if (exact === null || printed === null) return null;
  return Object.values(ROUNDINGS).some((rounding) => rounding(exact) === printed);
}
