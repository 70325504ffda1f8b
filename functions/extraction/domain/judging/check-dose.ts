import type { DrugLine, DrugTable } from '../drug-line.ts';
import { type Finding, yellow } from './finding.ts';

/** Rarely are this many tablets or capsules taken at once: 15 may be 1.5 with its point unread. */
const UNUSUAL = 10;
/** Tablets and capsules, by the form that a name states before its strength, a bracket or its end. */
const COUNTED = /(?:정|캡슐|캅셀)(?=[\d\s([_/]|$)/;
/** Fields that prove a number by themselves, if the sheet prints them. */
const PROOFS = ['prescribedQty', 'unitPrice', 'totalAmount'] as const;

/** An implausible dose that nothing on the sheet proves. */
export function checkDose(table: DrugTable, { drugName, quantity, ...line }: DrugLine): readonly Finding[] {
  const { value } = quantity;
  const isProved = PROOFS.some((field) => table.columns.has(field) && line[field].value !== null);
  if (value === null || value < UNUSUAL || isProved || !COUNTED.test(drugName.value ?? '')) return [];
  return [yellow('value_doubted.dose', { value, name: drugName.value! })];
}
