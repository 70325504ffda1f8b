import type { NumericField } from '../sheet-arithmetic.ts';

/** Field names as review notes say them. */
export const FIELD_NAMES: Readonly<Record<NumericField, string>> = {
  quantity: 'quantity',
  timesPerDay: 'times a day',
  days: 'days',
  prescribedQty: 'prescribed quantity',
  unitPrice: 'unit price',
  totalAmount: 'amount',
};
