import type { DrugLine, DrugTable } from '../drug-line.ts';
import type { NumericField } from '../sheet-arithmetic.ts';
import { type Finding, red, yellow } from './finding.ts';
import type { MissingCode } from './finding-parameters.ts';
import { HIGH_CONFIDENCE } from './thresholds.ts';

const MISSING: readonly { readonly field: NumericField; readonly code: MissingCode; readonly vital: boolean }[] = [
  { field: 'quantity', code: 'quantity_missing', vital: true },
  { field: 'days', code: 'days_missing', vital: false },
  { field: 'prescribedQty', code: 'prescribed_qty_missing', vital: false },
  { field: 'unitPrice', code: 'price_missing', vital: false },
  { field: 'totalAmount', code: 'amount_missing', vital: true },
];

/**
 * Missing, uncertain and impossible numbers, each by itself.
 * @param doubtfulColumns may hold other fields than they seem to.
 * @param proven by the line's arithmetic, however surely they were read.
 */
export function checkValues(
  table: DrugTable,
  line: DrugLine,
  doubtfulColumns: ReadonlySet<NumericField>,
  proven: ReadonlySet<NumericField>,
): readonly Finding[] {
  const findings: Finding[] = [];
  for (const { field } of MISSING)
    if (doubtfulColumns.has(field) && line[field].value !== null)
      findings.push(yellow('column_inferred', { field, value: line[field].value }));
  for (const { field, code, vital } of MISSING) {
    const { value, text, confidence, doubt } = line[field];
    if (value !== null) {
      if (confidence < HIGH_CONFIDENCE.number && !proven.has(field))
        findings.push(yellow('low_confidence.number', { field, value, confidence }));
      if (doubt) findings.push(yellow('value_doubted.print', { doubt, field, value }));
      if (value <= 0) findings.push(yellow('value_not_positive', { field, value }));
    } else if (table.columns.has(field)) {
      const finding = isVital(table, field, vital) ? red : yellow;
      findings.push(text === '' ? finding(`${code}.empty`, { field }) : finding(`${code}.illegible`, { field, text }));
    }
  }
  if (!table.columns.has('quantity') && !table.columns.has('prescribedQty'))
    findings.push(yellow('quantity_missing.no_column', {}));
  if (table.columns.has('timesPerDay') && line.timesPerDay.value === null && line.quantity.value !== null)
    findings.push(yellow('value_doubted.times_unread', { quantity: line.quantity.value }));
  if (table.columns.has('timesPerDay') && line.timesPerDay.value !== null && line.timesPerDay.value <= 0)
    findings.push(yellow('value_not_positive', { field: 'timesPerDay', value: line.timesPerDay.value }));
  if (line.timesPerDay.value !== null && !Number.isInteger(line.timesPerDay.value))
    findings.push(yellow('value_doubted.times', { value: line.timesPerDay.value }));
  return findings;
}

/** A sheet without a quantity column states it as the prescribed quantity. */
function isVital(table: DrugTable, field: NumericField, vital: boolean): boolean {
  return vital || (field === 'prescribedQty' && !table.columns.has('quantity'));
}
