import {
  AMOUNT_FORMS,
  amountHolds,
  dosageHolds,
  type Numbers,
  product,
} from '../../../../functions/extraction/domain/sheet-arithmetic.ts';
import { FIELDS, type Field, type Item, type Value, type Values } from './decisions.ts';

/** A drug of the list with its price on the day of the sheet. */
export interface ListedDrug {
  readonly code: string;
  readonly name: string;
  readonly maker: string;
  readonly unit: string;
  readonly priceKrw: number | null;
  readonly listed: boolean;
}

/** An objection to a value; `expected` is what would settle it, where that is known. */
export interface Objection {
  readonly kind: 'codeMissing' | 'codeUnknown' | 'unlisted' | 'price' | 'quantity' | 'amount' | 'emptied';
  readonly field: Field;
  readonly expected: number | null;
}

export interface LineCheck {
  readonly light: Item['status'];
  readonly objections: readonly Objection[];
}

/** Most doses a day that a sheet without a column for them may mean. */
const MAX_TIMES_PER_DAY = 6;

/** Checks corrected values as the service checks read ones. @param drug of the list by the code; null: there is none */
export function checkLine(item: Item, values: Record<Field, Value>, drug: ListedDrug | null): LineCheck {
  const objections = [
    ...checkCode(values, drug),
    ...checkPrice(values, drug),
    ...checkQuantity(values as Numbers),
    ...checkAmount(values as Numbers),
    ...FIELDS.slice(1)
      .filter((field) => values[field] === null && item[field] !== null)
      .map((field): Objection => ({ kind: 'emptied', field, expected: null })),
  ];
  const isFormerPrice =
    item.priceCheck === 'historical' && values.unitPrice === item.unitPrice && values.drugCode === item.drugCode;
  const isMinor = ({ kind }: Objection) =>
    kind === 'emptied' || kind === 'unlisted' || (kind === 'price' && isFormerPrice);
  const light = objections.length === 0 ? 'GREEN' : objections.every(isMinor) ? 'YELLOW' : 'RED';
  return { light, objections };
}

function checkCode({ drugCode }: Values, drug: ListedDrug | null): Objection[] {
  const kind = drugCode === null ? 'codeMissing' : drug === null ? 'codeUnknown' : drug.listed ? null : 'unlisted';
  return kind === null ? [] : [{ kind, field: 'drugCode', expected: null }];
}

function checkPrice({ unitPrice }: Values, drug: ListedDrug | null): Objection[] {
  const expected = drug?.priceKrw ?? null;
  if (expected === null || typeof unitPrice !== 'number' || Math.abs(unitPrice) === expected) return [];
  return [{ kind: 'price', field: 'unitPrice', expected }];
}

function checkQuantity(numbers: Numbers): Objection[] {
  const times = Array.from({ length: MAX_TIMES_PER_DAY }, (_, index) => index + 1);
  const holds = [
    dosageHolds(numbers, ['quantity']),
    ...times.map((timesPerDay) => dosageHolds({ ...numbers, timesPerDay }, ['quantity', 'timesPerDay', 'days'])),
  ];
  if (numbers.days === null || numbers.days === undefined || holds[0] === null || holds.includes(true)) return [];
  return [{ kind: 'quantity', field: 'prescribedQty', expected: product(numbers, ['quantity', 'days']) }];
}

function checkAmount(numbers: Numbers): Objection[] {
  const known = AMOUNT_FORMS.map((factors) => ({ factors, holds: amountHolds(numbers, factors) })).filter(
    ({ holds }) => holds !== null,
  );
  const [first] = known;
  if (first === undefined || known.some(({ holds }) => holds)) return [];
  const expected = Math.floor(product(numbers, [...first.factors, 'unitPrice'])!);
  return [{ kind: 'amount', field: 'totalAmount', expected }];
}
