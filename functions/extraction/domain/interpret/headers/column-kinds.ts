import type { TableField } from '../../reading/template.ts';

/** A prescription's quantities of a drug, without its price. */
export const COUNT_FIELDS = ['quantity', 'timesPerDay', 'days', 'prescribedQty'] as const;

/** The kind that a header cell may announce: one of our fields, or another column. */
export type ColumnKind = TableField | 'other';

export const NAME_KINDS: ReadonlySet<ColumnKind> = new Set(['drugCode', 'drugName']);
export const NUMERIC_KINDS: ReadonlySet<ColumnKind> = new Set([...COUNT_FIELDS, 'unitPrice', 'totalAmount']);
