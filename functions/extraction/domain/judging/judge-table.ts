import type { DrugTable } from '../drug-line.ts';
import type { Item, Summary, TrafficLight } from '../extraction.ts';
import type { DrugMaster } from '../master/drug-master.ts';
import type { NumericField } from '../sheet-arithmetic.ts';
import { checkArithmetic, provenNumbers } from './check-arithmetic.ts';
import { checkCompleteness } from './check-completeness.ts';
import { checkDose } from './check-dose.ts';
import { checkIdentity } from './check-identity.ts';
import { checkPrice } from './check-price.ts';
import { checkValues } from './check-values.ts';
import type { Finding, StoredFinding } from './finding.ts';
import { unprovenColumns } from './inferred-columns.ts';
import { reviewNote } from './review-notes.ts';
import { suggestCode } from './suggest-code.ts';

const NONE: ReadonlySet<NumericField> = new Set();

export interface JudgedTable {
  readonly items: readonly Item[];
  /** Findings of each item, which its `review` says in English. */
  readonly findings: readonly (readonly StoredFinding[])[];
  readonly summary: Summary;
}

/**
 * Judges every line of a table. A line without findings is GREEN. Values stay as they were read; `review` lists every objection to them.
 * @param date ISO date of the sheet; decides which price is in force.
 */
export function judgeTable(table: DrugTable, master: DrugMaster, date: string): JudgedTable {
  const { completeExtraction, findings: gapFindings } = checkCompleteness(table);
  const doubtfulColumns = unprovenColumns(table);
  const lines = table.lines.map((_, index) => {
    const sheetFindings = gapFindings.get(index) ?? [];
    return judgeLine(table, index, master, date, doubtfulColumns, sheetFindings);
  });
  const items = lines.map(({ item }) => item);
  const findings = lines.map((line) => line.findings.map(({ kind, parameters }) => ({ kind, parameters })));
  return { items, findings, summary: summarise(items, completeExtraction) };
}

/** Judges the lists of a page, each by itself; the page is complete when all of them are. */
export function judgeLists(lists: readonly DrugTable[], master: DrugMaster, date: string): JudgedTable {
  const judged = lists.map((list) => judgeTable(list, master, date));
  const items = judged.flatMap((list) => list.items);
  const complete = judged.map(({ summary }) => summary.completeExtraction);
  const all = complete.length === 0 || complete.includes(null) ? null : true;
  const findings = judged.flatMap((list) => list.findings);
  return { items, findings, summary: summarise(items, complete.includes(false) ? false : all) };
}

export function summarise(items: readonly Item[], completeExtraction: boolean | null): Summary {
  const count = (light: TrafficLight) => items.filter(({ status }) => status === light).length;
  return {
    items: items.length,
    needsReview: items.filter(({ needsReview }) => needsReview).length,
    byStatus: { green: count('GREEN'), yellow: count('YELLOW'), red: count('RED') },
    completeExtraction,
  };
}

function judgeLine(
  table: DrugTable,
  index: number,
  master: DrugMaster,
  date: string,
  doubtfulColumns: ReadonlySet<NumericField>,
  gapFindings: readonly Finding[],
): { readonly item: Item; readonly findings: readonly Finding[] } {
  const line = table.lines[index]!;
  const identity = checkIdentity(table, line, master, date);
  const price = checkPrice(line.unitPrice.value, identity.drug, date);
  const proven = price.priceCheck === 'current' ? provenNumbers(table, index) : NONE;
  const findings = [
    ...identity.findings,
    ...price.findings,
    ...checkValues(table, line, doubtfulColumns, proven),
    ...checkDose(table, line),
    ...checkArithmetic(table, index),
    ...gapFindings,
  ];
  const status = lightOf(findings);
  const item: Item = {
    drugCode: identity.drugCode,
    drugName: line.drugName.value,
    quantity: line.quantity.value,
    days: line.days.value,
    prescribedQty: line.prescribedQty.value,
    unitPrice: line.unitPrice.value,
    totalAmount: line.totalAmount.value,
    codeInMaster: identity.drug !== null,
    suggestedDrugCode: identity.drug ? null : suggestCode(line, master, date),
    priceCheck: price.priceCheck,
    status,
    needsReview: status !== 'GREEN',
    review: findings.map((finding) => reviewNote(finding, 'en')),
  };
  return { item, findings };
}

function lightOf(findings: readonly Finding[]): TrafficLight {
  if (findings.some(({ severity }) => severity === 'red')) return 'RED';
  return findings.length > 0 ? 'YELLOW' : 'GREEN';
}
