import { NUMERIC_FIELDS, type NumericField } from '../../sheet-arithmetic.ts';

/** The network's classes of prints, in the order of its output. `codeName`: both in one print; `doses`: dose, times and days in one. */
export const ROLES = [
  'none',
  'drugCode',
  'drugName',
  'quantity',
  'timesPerDay',
  'days',
  'prescribedQty',
  'unitPrice',
  'totalAmount',
  'codeName',
  'dailyDose',
  'doses',
  'drugCodeHeader',
  'drugNameHeader',
  'quantityHeader',
  'timesPerDayHeader',
  'daysHeader',
  'prescribedQtyHeader',
  'unitPriceHeader',
  'totalAmountHeader',
  'dailyDoseHeader',
  'total',
] as const;

export type Role = (typeof ROLES)[number];

export const CODE_ROLES: readonly Role[] = ['drugCode', 'codeName'];
export const NAME_ROLES: readonly Role[] = ['drugName', 'codeName'];

/** Roles of prints that hold one number of a drug. */
export const NUMBER_ROLES: readonly NumberRole[] = [...NUMERIC_FIELDS, 'dailyDose'];

export type NumberRole = NumericField | 'dailyDose';

const INDEX = new Map<Role, number>(ROLES.map((role, index) => [role, index]));

/** Place of a role in the network's output. */
export function indexOf(role: Role): number {
  return INDEX.get(role)!;
}
