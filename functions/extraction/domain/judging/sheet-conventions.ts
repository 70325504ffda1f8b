import type { DrugLine, DrugTable } from '../drug-line.ts';
import {
  AMOUNT_FORMS,
  amountHolds,
  DOSAGE_FORMS,
  dosageHolds,
  type Numbers,
  type NumericField,
  product,
  ROUNDINGS,
  type Rounding,
} from '../sheet-arithmetic.ts';
import { LINES_THAT_PROVE, LINES_THAT_SETTLE } from './thresholds.ts';

/** Arithmetic of one sheet, as far as its other lines show it. */
export interface Conventions {
  /** Factors of the prescribed quantity; null when the sheet does not show them. */
  readonly dosage: readonly NumericField[] | null;
  /** Factors of the amount other than the unit price; null if the sheet does not show them. */
  readonly amount: readonly NumericField[] | null;
  /** Roundings that the sheet may follow, as far as its other lines leave them open. */
  readonly roundings: readonly Rounding[];
}

const WHOLE_ROUNDINGS = ['floor', 'round', 'ceil'] as const;
const TENS_ROUNDINGS = ['floorTens', 'roundTens'] as const;

export function numbersOf(line: DrugLine): Numbers {
  return {
    quantity: line.quantity.value,
    timesPerDay: line.timesPerDay.value,
    days: line.days.value,
    prescribedQty: line.prescribedQty.value,
    unitPrice: line.unitPrice.value,
    totalAmount: line.totalAmount.value,
  };
}

/**
 * Conventions of a sheet for one of its lines, by the evidence of the OTHER lines alone: a misread line must not
 * change the rule that it is judged by.
 */
export function conventionsOf(table: DrugTable, lineIndex: number): Conventions {
  const others = table.lines.filter((_, i) => i !== lineIndex).map(numbersOf);
  const own = numbersOf(table.lines[lineIndex]!);
  const has = (form: readonly NumericField[]) => form.every((field) => table.columns.has(field));
  const dosageForms = table.columns.has('prescribedQty') ? DOSAGE_FORMS.filter(has) : [];
  const hasAmount = table.columns.has('unitPrice') && table.columns.has('totalAmount');
  const forms = hasAmount ? AMOUNT_FORMS.filter(has) : [];
  // Without days, a prescribed quantity need not be a product of the remaining numbers.
  const usualDosage = table.columns.has('days') ? (dosageForms[0] ?? null) : null;
  const amount = chooseForm(forms, forms[0] ?? null, others, own, amountHolds);
  return {
    dosage: chooseForm(dosageForms, usualDosage, others, own, dosageHolds),
    amount,
    roundings: amount ? chooseRoundings(others, amount) : [],
  };
}

type Holds = typeof dosageHolds;

/** The usual form, unless the other lines prove another; none when the sheet follows no form that we know. */
function chooseForm(
  forms: readonly (readonly NumericField[])[],
  usual: readonly NumericField[] | null,
  others: readonly Numbers[],
  own: Numbers,
  holds: Holds,
): readonly NumericField[] | null {
  const support = (form: readonly NumericField[] | null) =>
    form === null ? 0 : others.filter((numbers) => holds(numbers, form)).length;
  let chosen = usual;
  for (const form of forms) if (support(form) >= LINES_THAT_PROVE && support(form) > support(chosen)) chosen = form;
  if (chosen === null) return null;
  const complete = others.filter((numbers) => holds(numbers, chosen) !== null).length;
  const unfounded = complete >= LINES_THAT_PROVE && support(chosen) === 0 && !holds(own, chosen);
  return unfounded ? null : chosen;
}

/**
 * Down, half up and up are all usual, so a whole amount less than one KRW off is exact, unless the other lines are of one
 * mind about fractions. Sheets that cut amounts to tens show it on several lines.
 */
function chooseRoundings(others: readonly Numbers[], form: readonly NumericField[]): readonly Rounding[] {
  const amounts = others.flatMap((numbers) => {
    const exact = product(numbers, [...form, 'unitPrice']);
    const printed = numbers.totalAmount ?? null;
    return exact === null || printed === null ? [] : [{ exact, printed }];
  });
  type Amount = (typeof amounts)[number];
  const follows = (rounding: Rounding) => (amount: Amount) => ROUNDINGS[rounding](amount.exact) === amount.printed;
  const isTens = (amount: Amount) => TENS_ROUNDINGS.some((rounding) => follows(rounding)(amount));
  const whole = amounts.filter(({ exact, printed }) => Math.abs(exact - printed) < 1);
  const cut = amounts.filter((amount) => isTens(amount) && !whole.includes(amount));
  if (cut.length >= LINES_THAT_PROVE && cut.length > whole.filter((amount) => !isTens(amount)).length)
    // Cutting is what sheets do; rounding to tens has to show.
    return [cut.every(follows('floorTens')) ? 'floorTens' : 'roundTens'];
  const fractions = whole.filter(({ exact }) => !Number.isInteger(exact));
  const settled = WHOLE_ROUNDINGS.filter((rounding) => fractions.every(follows(rounding)));
  return fractions.length >= LINES_THAT_SETTLE && settled.length > 0 ? settled : WHOLE_ROUNDINGS;
}
