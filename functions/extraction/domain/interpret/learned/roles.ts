import type { TableField } from '../../reading/template.ts';

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

/** Fields of a line that hold numbers. */
export const NUMBER_FIELDS = [
  'quantity',
  'timesPerDay',
  'days',
  'prescribedQty',
  'unitPrice',
  'totalAmount',
] as const satisfies readonly TableField[];

export type NumberField = (typeof NUMBER_FIELDS)[number];

/** Roles of prints that hold one number of a drug. */
export const NUMBER_ROLES = [...NUMBER_FIELDS, 'dailyDose'] as const satisfies readonly Role[];

export type NumberRole = (typeof NUMBER_ROLES)[number];

const INDEX = new Map<Role, number>(ROLES.map((role, index) => [role, index]));

/** Place of a role in the network's output. */
export function indexOf(role: Role): number {
  return INDEX.get(role)!;
}
