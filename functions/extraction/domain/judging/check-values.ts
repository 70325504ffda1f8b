import type { Doubt, DrugLine, DrugTable } from '../drug-line.ts';
import type { NumericField } from '../sheet-arithmetic.ts';
import { FIELD_NAMES } from './field-names.ts';
import { type Finding, type FindingCode, red, yellow } from './finding.ts';
import { HIGH_CONFIDENCE } from './thresholds.ts';

const MISSING: readonly { readonly field: NumericField; readonly code: FindingCode; readonly vital: boolean }[] = [
  { field: 'quantity', code: 'quantity_missing', vital: true },
  { field: 'days', code: 'days_missing', vital: false },
  { field: 'prescribedQty', code: 'prescribed_qty_missing', vital: false },
  { field: 'unitPrice', code: 'price_missing', vital: false },
  { field: 'totalAmount', code: 'amount_missing', vital: true },
];
const DOUBTS: Readonly<Record<Doubt, string>> = {
  crossed: 'a stroke, a stamp or a rule touches',
  beside: 'the numbers of another column are closer to',
  shifted: 'a digit may be missing next to',
  joined: 'several lines of print were read as',
  small: 'print this small does not distinguish 6 from 8 in',
};

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
      findings.push(
        yellow(
          'column_inferred',
          `the header of the ${FIELD_NAMES[field]} was not read; ${line[field].value} may be another number`,
        ),
      );
  for (const { field, code, vital } of MISSING) {
    const { value, text, confidence, doubt } = line[field];
    const name = FIELD_NAMES[field];
    if (value !== null) {
      if (confidence < HIGH_CONFIDENCE.number && !proven.has(field))
        findings.push(yellow('low_confidence', `${name} ${value} was read with confidence ${confidence.toFixed(2)}`));
      if (doubt) findings.push(yellow('value_doubted', `${DOUBTS[doubt]} the ${name} ${value}`));
      if (value <= 0) findings.push(yellow('value_not_positive', `${name} is ${value}`));
    } else if (table.columns.has(field)) {
      const what = text === '' ? `the ${name} is empty or could not be read` : `the ${name} reads "${text}"`;
      findings.push(isVital(table, field, vital) ? red(code, what) : yellow(code, what));
    }
  }
  if (!table.columns.has('quantity') && !table.columns.has('prescribedQty'))
    findings.push(yellow('quantity_missing', 'the sheet has no column for the quantity'));
  if (table.columns.has('timesPerDay') && line.timesPerDay.value === null && line.quantity.value !== null)
    findings.push(
      yellow('value_doubted', `the times a day could not be read; they may be the quantity ${line.quantity.value}`),
    );
  if (table.columns.has('timesPerDay') && line.timesPerDay.value !== null && line.timesPerDay.value <= 0)
    findings.push(yellow('value_not_positive', `times a day is ${line.timesPerDay.value}`));
  if (line.timesPerDay.value !== null && !Number.isInteger(line.timesPerDay.value))
    findings.push(
      yellow('value_doubted', `times a day reads ${line.timesPerDay.value}: its neighbouring numbers may be different`),
    );
  return findings;
}

/** A sheet without a quantity column states it as the prescribed quantity. */
function isVital(table: DrugTable, field: NumericField, vital: boolean): boolean {
  return vital || (field === 'prescribedQty' && !table.columns.has('quantity'));
}
