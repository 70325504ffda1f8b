import {
  AMOUNT_FORMS,
  amountHolds,
  DOSAGE_FORMS,
  dosageHolds,
  NUMERIC_FIELDS,
  type Numbers,
  type NumericField,
  WHOLE_FIELDS,
} from '../../sheet-arithmetic.ts';
import { type NumberStyle, parseNumeral } from './cell-values.ts';

/** The styles of the columns whose numbers may be fractions. */
export type QuantityStyles = Readonly<Record<'quantity' | 'prescribedQty', NumberStyle>>;

/** The numerals of one line, as read; empty without any. */
export type Numerals = Readonly<Partial<Record<NumericField, string>>>;

/** Three digits behind one mark: a fraction, or thousands. */
const AMBIGUOUS = /^[1-9]\d{0,2}[.,]\d{3}$/;

/**
 * The meaning of three digits behind a point in a column of quantities: a fraction if the whole column is written so (1.000, 0.500; also
 * a single 100.000), otherwise thousands with the comma read as a point.
 */
export function writtenStyle(numerals: readonly string[]): NumberStyle {
  const written = numerals.filter(Boolean);
  // Programs pad to a width: 100.000 next to 1.0000.
  if (written.some((numeral) => /^0\.\d{3}$|^\d+\.\d{4,}$/.test(numeral))) return 'decimal';
  const allThree = written.length > 0 && written.every((numeral) => THREE_PLACES.test(numeral));
  return allThree ? 'decimal' : 'thousands';
}

const THREE_PLACES = /\.\d{3}$/;

/** The style of a column of doses on a sheet without amounts: a drug is hardly given by the thousand, so that one number read otherwise is misread. */
export function doseStyle(numerals: readonly string[]): NumberStyle {
  const written = numerals.filter(Boolean);
  const pointed = written.filter((numeral) => THREE_PLACES.test(numeral));
  return 2 * pointed.length > written.length ? 'decimal' : writtenStyle(written);
}

/**
 * The styles of both columns of quantities: those with which more of the sheet's products match, since a blurred point and a comma look
 * alike, but a price a thousand times too high does not; the written ones if the products are inconclusive.
 */
export function quantityStyles(lines: readonly Numerals[]): QuantityStyles {
  const choices = (field: keyof QuantityStyles): readonly NumberStyle[] => {
    const numerals = lines.map((line) => line[field] ?? '');
    const written = writtenStyle(numerals);
    if (!numerals.some((numeral) => AMBIGUOUS.test(numeral))) return [written];
    return written === 'decimal' ? ['decimal', 'thousands'] : ['thousands', 'decimal'];
  };
  const candidates = choices('quantity').flatMap((quantity) =>
    choices('prescribedQty').map((prescribedQty) => ({ quantity, prescribedQty })),
  );
  if (candidates.length === 1) return candidates[0]!;
  const scored = candidates.map((styles) => ({ styles, products: productsThatHold(lines, styles) }));
  return scored.reduce((best, next) => (next.products > best.products ? next : best)).styles;
}

function productsThatHold(lines: readonly Numerals[], styles: QuantityStyles): number {
  let held = 0;
  for (const line of lines) {
    const numbers = numbersOf(line, styles);
    if (AMOUNT_FORMS.some((factors) => amountHolds(numbers, factors))) held++;
    if (DOSAGE_FORMS.some((factors) => dosageHolds(numbers, factors))) held++;
  }
  return held;
}

function numbersOf(line: Numerals, styles: QuantityStyles): Numbers {
  const styleOf = (field: NumericField) => (WHOLE_FIELDS.has(field) ? 'whole' : styles[field as keyof QuantityStyles]);
  return Object.fromEntries(
    NUMERIC_FIELDS.map((field) => [field, parseNumeral(line[field] ?? '', styleOf(field))?.value ?? null]),
  );
}
