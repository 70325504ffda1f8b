import type { DrugLine, DrugTable, Field } from '../../functions/extraction/domain/drug-line.ts';
import type { DrugMaster, MasterPrice } from '../../functions/extraction/domain/master/drug-master.ts';
import { InMemoryDrugMaster } from '../../functions/extraction/domain/master/in-memory-drug-master.ts';
import { encodeMaster, openMaster, sortDrugs } from '../../functions/extraction/domain/master/master-file.ts';
import type { TableField } from '../../functions/extraction/domain/reading/template.ts';

export type LineValues = {
  [field in keyof Omit<DrugLine, 'row' | 'nameFillsColumn' | 'nameHasRoom' | 'nameEnd'>]?: DrugLine[field]['value'];
};

export const ALL_COLUMNS: readonly TableField[] = [
  'drugCode',
  'drugName',
  'quantity',
  'days',
  'prescribedQty',
  'unitPrice',
  'totalAmount',
];

export function field<T>(value: T | null | undefined, confidence = 0.99): Field<T> {
  return { value: value ?? null, text: value === null || value === undefined ? '' : String(value), confidence };
}

export function drugLine(values: LineValues, row = 0): DrugLine {
  return {
    drugCode: field(values.drugCode),
    drugName: field(values.drugName),
    quantity: field(values.quantity),
    timesPerDay: field(values.timesPerDay),
    days: field(values.days),
    prescribedQty: field(values.prescribedQty),
    unitPrice: field(values.unitPrice),
    totalAmount: field(values.totalAmount),
    row,
  };
}

export function drugTable(lines: readonly (LineValues | DrugLine)[], options: Partial<DrugTable> = {}): DrugTable {
  return {
    lines: lines.map((line, i) => ('row' in line ? line : drugLine(line as LineValues, i + 1))),
    columns: new Set(ALL_COLUMNS),
    inferredColumns: new Set(),
    printedTotals: { totalAmount: null, lineCount: null },
    unreadRows: [],
    bounded: true,
    ...options,
  };
}

/** A price as tests write it: one of null is off the list unless it says that it is listed. */
type PriceStep = Omit<MasterPrice, 'listed'> & Partial<MasterPrice>;

/** A master of `code: [name, current price or history, old codes]`. */
export function drugMaster(
  drugs: Record<string, readonly [string, number | readonly PriceStep[], (readonly string[])?]>,
): DrugMaster {
  const list = Object.entries(drugs).map(([code, [name, price, oldCodes = []]]) => ({
    code,
    name,
    maker: '',
    unit: '',
    oldCodes,
    prices: (typeof price === 'number' ? [{ from: '2025-01-01', krw: price }] : price).map(priceStep),
  }));
  const info = { version: '2026-11-01', dates: ['2026-11-01'], source: '', attribution: '' };
  return new InMemoryDrugMaster(openMaster(encodeMaster({ info, drugs: sortDrugs(list) })));
}

function priceStep({ from, krw, listed = krw !== null }: PriceStep): MasterPrice {
  return { from, krw, listed };
}
