import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DrugLine, DrugTable } from '../../functions/extraction/domain/drug-line.ts';
import type { Item } from '../../functions/extraction/domain/extraction.ts';
import { judgeTable } from '../../functions/extraction/domain/judging/judge-table.ts';
import { HIGH_CONFIDENCE } from '../../functions/extraction/domain/judging/thresholds.ts';
import type { DrugMaster } from '../../functions/extraction/domain/master/drug-master.ts';
import { drugLine, drugMaster, drugTable, field } from '../helpers/drug-table.ts';

const TODAY = '2026-11-21';

// Neighbouring codes with one name and one price, strengths of one brand, drugs that left: whatever a misread code may hit.
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
const master = drugMaster(DRUGS);
const codes = Object.keys(DRUGS);

const quantity = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(0.5, 0.25, 1.5, 10, 15, 120));
const confidence = fc.oneof(
  { weight: 8, arbitrary: fc.constant(0.99) },
  { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
);

/** A line as a sheet would print it: consistent, of a drug of the list. */
const trueLine = fc
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
const anyLine = fc
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

const tableOf = (line: fc.Arbitrary<DrugLine>) =>
  fc
    .array(line, { minLength: 1, maxLength: 8 })
    .map((lines) => drugTable(lines.map((each, i) => ({ ...each, row: i + 1 }))));

const judge = (table: DrugTable, drugs: DrugMaster = master) => judgeTable(table, drugs, TODAY);

describe('judging', () => {
  it('finds most true lines GREEN, so that the properties below say something', () => {
    const sample = fc.sample(tableOf(trueLine), { numRuns: 200, seed: 7 }).flatMap((table) => judge(table).items);
    expect(sample.filter(({ status }) => status === 'GREEN').length / sample.length).toBeGreaterThan(0.4);
  });

  it('marks GREEN only what an independent check confirms', () => {
    void fc.assert(
      fc.property(tableOf(anyLine), (table) => {
        judge(table).items.forEach((item, i) => {
          if (item.status === 'GREEN') expectConfirmed(item, table.lines[i]!);
        });
      }),
      { numRuns: 500 },
    );
  });

  it('marks no line GREEN of which a single digit was misread', () => {
    void fc.assert(
      fc.property(
        tableOf(trueLine),
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 9 }),
        (table, lineSeed, digitSeed, shift) => {
          const index = lineSeed % table.lines.length;
          fc.pre(judge(table).items[index]!.status === 'GREEN');
          const misread = misreadDigit(table.lines[index]!, digitSeed, shift);
          const changed = { ...table, lines: table.lines.with(index, misread) };
          expect(judge(changed).items[index]!.status).not.toBe('GREEN');
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('does not depend on the order of the lines', () => {
    void fc.assert(
      fc.property(tableOf(anyLine), fc.infiniteStream(fc.nat()), (table, random) => {
        const keys = [...random.take(table.lines.length)];
        const order = table.lines.map((_, i) => i).sort((a, b) => keys[a]! - keys[b]! || a - b);
        const permuted = { ...table, lines: order.map((i, position) => ({ ...table.lines[i]!, row: position + 1 })) };
        const before = judge(table).items;
        expect(judge(permuted).items).toEqual(order.map((i) => before[i]));
      }),
    );
  });

  it('gives the same lights when prices and amounts are scaled alike', () => {
    void fc.assert(
      fc.property(tableOf(trueLine), fc.integer({ min: 2, max: 50 }), (table, factor) => {
        fc.pre(table.lines.every(({ prescribedQty }) => Number.isInteger(prescribedQty.value)));
        const scaled = (line: DrugLine): DrugLine => ({
          ...line,
          unitPrice: field(line.unitPrice.value! * factor),
          totalAmount: field(line.totalAmount.value! * factor),
        });
        const scaledMaster = drugMaster(
          Object.fromEntries(
            codes.map((code) => {
              const { name, prices } = master.find(code)!;
              return [
                code,
                [name, prices.map(({ from, krw }) => ({ from, krw: krw === null ? null : krw * factor }))] as const,
              ];
            }),
          ),
        );
        const lights = (items: readonly Item[]) => items.map(({ status, priceCheck }) => [status, priceCheck]);
        const after = judge({ ...table, lines: table.lines.map(scaled) }, scaledMaster);
        expect(lights(after.items)).toEqual(lights(judge(table).items));
      }),
    );
  });

  it('gives the same lights with and without suggestions', () => {
    const mute: DrugMaster = {
      version: master.version,
      size: master.size,
      find: (code) => master.find(code),
      suggest: () => [],
    };
    void fc.assert(
      fc.property(tableOf(anyLine), (table) => {
        const strip = (items: readonly Item[]) => items.map((item) => ({ ...item, suggestedDrugCode: null }));
        const { items } = judge(table);
        expect(strip(items)).toEqual(judge(table, mute).items);
        for (const item of items) if (item.codeInMaster) expect(item.suggestedDrugCode).toBeNull();
      }),
    );
  });

  it('hands every value over as it was read, and counts right', () => {
    void fc.assert(
      fc.property(tableOf(anyLine), (table) => {
        const { items, summary } = judge(table);
        items.forEach((item, i) => {
          const line = table.lines[i]!;
          for (const name of [
            'drugCode',
            'drugName',
            'quantity',
            'days',
            'prescribedQty',
            'unitPrice',
            'totalAmount',
          ] as const)
            expect(item[name]).toBe(line[name].value);
          expect(item.needsReview).toBe(item.status !== 'GREEN');
          expect(item.review.length === 0).toBe(item.status === 'GREEN');
          for (const note of item.review) expect(note).toMatch(/^[a-z_]+: \S/);
        });
        const { green, yellow, red } = summary.byStatus;
        expect(green + yellow + red).toBe(items.length);
        expect(summary.items).toBe(items.length);
        expect(summary.needsReview).toBe(yellow + red);
      }),
    );
  });
});

/** The rule of GREEN, written down a second time and more plainly. */
function expectConfirmed(item: Item, line: DrugLine): void {
  const drug = master.find(item.drugCode ?? '');
  expect(drug).not.toBeNull();
  const inForce = drug!.prices.findLast(({ from }) => from <= TODAY);
  expect(item.unitPrice).toBe(inForce!.krw);
  expect(item.priceCheck).toBe('current');
  expect(item.quantity! * item.days!).toBeCloseTo(item.prescribedQty!, 6);
  expect(Math.abs(item.prescribedQty! * item.unitPrice! - item.totalAmount!)).toBeLessThan(1);
  for (const value of [item.quantity, item.days, item.prescribedQty, item.unitPrice, item.totalAmount])
    expect(value).toBeGreaterThan(0);
  for (const name of ['quantity', 'days', 'prescribedQty', 'unitPrice', 'totalAmount'] as const)
    expect(line[name].confidence).toBeGreaterThanOrEqual(HIGH_CONFIDENCE.number);
  expect(line.drugCode.confidence).toBeGreaterThanOrEqual(HIGH_CONFIDENCE.code);
  expect(drug!.name.slice(0, 2)).toBe(item.drugName!.slice(0, 2));
}

/** One digit of one numeric field or of the code, read as another digit. */
function misreadDigit(line: DrugLine, digitSeed: number, shift: number): DrugLine {
  const names = ['drugCode', 'quantity', 'days', 'prescribedQty', 'unitPrice', 'totalAmount'] as const;
  const places = names.flatMap((name) =>
    [...String(line[name].value)].flatMap((character, at) => (/\d/.test(character) ? [{ name, at }] : [])),
  );
  const { name, at } = places[digitSeed % places.length]!;
  const text = String(line[name].value);
  const changed = text.slice(0, at) + ((Number(text[at]) + shift) % 10) + text.slice(at + 1);
  return { ...line, [name]: field(name === 'drugCode' ? changed : Number(changed)) };
}
