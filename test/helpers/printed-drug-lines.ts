import * as fc from 'fast-check';
import type { DrugLine } from '../../functions/extraction/domain/drug-line.ts';
import { drugLine, drugMaster, drugTable, field } from './drug-table.ts';

export const TODAY = '2026-11-21';

// Neighbouring codes with one name and one price, strengths of one brand, former drugs: all targets of a misread code.
const DRUGS = {
  '640500010': ['가온정5밀리그램(암로디핀)_(5mg/1정)', 112],
  '640500020': ['가온정10밀리그램(암로디핀)_(10mg/1정)', 112],
  '640500030': ['나래정(로사르탄)_(50mg/1정)', 112],
  '640500040': ['나래정(로사르탄)_(100mg/1정)', 112],
  '640500110': ['다솜캡슐(세레콕시브)', 7],
  '642900121': ['라온시럽(암브록솔)_(100mL)', 1230],
  '642900122': ['라온시럽(암브록솔)_(500mL)', 1230],
  '069900120': [
    '마루주(덱사메타손)',
    [
      { from: '2025-01-01', krw: 486 },
      { from: '2026-01-01', krw: 450 },
    ],
  ],
  '069900130': [
    '바다연고(무피로신)',
    [
      { from: '2025-01-01', krw: 239 },
      { from: '2026-10-01', krw: null },
    ],
  ],
} as const;
export const master = drugMaster(DRUGS);
export const codes = Object.keys(DRUGS);

const quantity = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(0.5, 0.25, 1.5, 10, 15, 120));
export const confidence = fc.oneof(
  { weight: 8, arbitrary: fc.constant(0.99) },
  { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
);

/** A line as a sheet would print it: consistent, of a drug of the list. */
export const trueLine = fc
  .record({
    code: fc.constantFrom(...codes),
    quantity,
    days: fc.integer({ min: 1, max: 90 }),
    cut: fc.constantFrom(0, 8, 30),
  })
  .map(({ code, quantity, days, cut }) => {
    const drug = master.find(code)!;
    const unitPrice = drug.prices.findLast(({ krw }) => krw !== null)!.krw!;
    const prescribedQty = Math.round(quantity * days * 1e6) / 1e6;
    return drugLine({
      drugCode: code,
      drugName: cut ? drug.name.slice(0, cut) : drug.name,
      quantity,
      days,
      prescribedQty,
      unitPrice,
      totalAmount: Math.floor(prescribedQty * unitPrice),
    });
  });

/** A line as a reader may hand it over: values changed, missing, unsure. */
export const anyLine = fc
  .record({
    line: trueLine,
    broken: fc.option(
      fc.constantFrom('drugCode', 'drugName', 'quantity', 'days', 'prescribedQty', 'unitPrice', 'totalAmount'),
      { freq: 2 },
    ),
    value: fc.option(fc.integer({ min: 0, max: 99999 }), { freq: 4 }),
    confidence,
  })
  .map(({ line, broken, value, confidence }): DrugLine => {
    if (broken === null) return line;
    const asText = broken === 'drugCode' || broken === 'drugName';
    return { ...line, [broken]: { ...field(value === null ? null : asText ? String(value) : value), confidence } };
  });

/** A line whose product ends in half a won, rounded down. */
export const fraction = fc.integer({ min: 0, max: 44 }).map((half) => {
  const days = 2 * half + 1;
  const { code, name } = master.find('640500110')!;
  const values = { drugCode: code, drugName: name, quantity: 0.5, days, prescribedQty: days / 2, unitPrice: 7 };
  return drugLine({ ...values, totalAmount: Math.floor((days / 2) * 7) });
});

export const tableOf = (line: fc.Arbitrary<DrugLine>) =>
  fc
    .array(line, { minLength: 1, maxLength: 8 })
    .map((lines) => drugTable(lines.map((each, i) => ({ ...each, row: i + 1 }))));
