import type { NumericField } from '../sheet-arithmetic.ts';

/** Field names as review notes say them. */
export const FIELD_NAMES: Readonly<Record<'en' | 'ko', Readonly<Record<NumericField, string>>>> = {
  en: {
    quantity: 'quantity',
    timesPerDay: 'times a day',
    days: 'days',
    prescribedQty: 'prescribed quantity',
    unitPrice: 'unit price',
    totalAmount: 'amount',
  },
  ko: {
    quantity: '투여량',
    timesPerDay: '1일 투여횟수',
    days: '일수',
    prescribedQty: '총투여량',
    unitPrice: '단가',
    totalAmount: '금액',
  },
};
