import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DrugLine, DrugTable } from '../../functions/extraction/domain/drug-line.ts';
import type { Item } from '../../functions/extraction/domain/extraction.ts';
import { judgeTable } from '../../functions/extraction/domain/judging/judge-table.ts';
import { HIGH_CONFIDENCE } from '../../functions/extraction/domain/judging/thresholds.ts';
import type { DrugMaster } from '../../functions/extraction/domain/master/drug-master.ts';
import { drugLine, drugMaster, drugTable, field } from '../helpers/drug-table.ts';
import {
  anyLine,
  codes,
  confidence,
  fraction,
  master,
  TODAY,
  tableOf,
  trueLine,
} from '../helpers/printed-drug-lines.ts';

const judge = (table: DrugTable, drugs: DrugMaster = master) => judgeTable(table, drugs, TODAY);

const lightCodes = (table: DrugTable) =>
  judge(table).items.flatMap(({ review }) => review.map((note) => note.slice(0, note.indexOf(':'))));

/** The same sheet as a prescription prints it. */
function withoutMoney(table: DrugTable): DrugTable {
  const none = { value: null, text: '', confidence: 1 };
  return {
    ...table,
    columns: new Set(['drugCode', 'drugName', 'quantity', 'days'] as const),
    lines: table.lines.map((line) => ({ ...line, prescribedQty: none, unitPrice: none, totalAmount: none })),
  };
}

/** One digit of a total left out, read as another one, or read twice. */
function misreadTotal(total: number, seed: number, digit: number, how: string): number {
  const text = String(total);
  const at = seed % text.length;
  const read = { lost: '', changed: String(digit), added: `${text[at]}${digit}` }[how];
  return Number(text.slice(0, at) + read + text.slice(at + 1));
}

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

  it('no line with a single misread digit is GREEN, unless its own product still allows the amount', () => {
    void fc.assert(
      fc.property(
        tableOf(trueLine),
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 9 }),
        (table, lineSeed, digitSeed, shift) => {
          const index = lineSeed % table.lines.length;
          const line = table.lines[index]!;
          fc.pre(judge(table).items[index]!.status === 'GREEN');
          const { field: name, line: misread } = misreadDigit(line, digitSeed, shift);
          const { status } = judge({ ...table, lines: table.lines.with(index, misread) }).items[index]!;
          const exact = line.prescribedQty.value! * line.unitPrice.value!;
          const isRounding = name === 'totalAmount' && Math.abs(misread.totalAmount.value! - exact) < 1 - 1e-6;
          if (!isRounding) expect(status).not.toBe('GREEN');
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('marks no amount GREEN that was misread by a won on a sheet that shows how it rounds', () => {
    void fc.assert(
      fc.property(fc.array(fraction, { minLength: 4, maxLength: 8 }), fc.nat(), (lines, seed) => {
        const index = seed % lines.length;
        const table = drugTable(lines.map((line, i) => ({ ...line, row: i + 1 })));
        fc.pre(judge(table).items[index]!.status === 'GREEN');
        const { totalAmount } = lines[index]!;
        const misread = { ...table.lines[index]!, totalAmount: field(totalAmount.value! + 1) };
        const changed = judge({ ...table, lines: table.lines.with(index, misread) });
        expect(changed.items[index]!.status).not.toBe('GREEN');
      }),
    );
  });

  it('takes any rounding of a fraction of a won for exact', () => {
    void fc.assert(
      fc.property(fraction, fc.constantFrom(Math.floor, Math.round, Math.ceil), (line, round) => {
        const totalAmount = field(round(line.prescribedQty.value! * line.unitPrice.value!));
        expect(lightCodes(drugTable([{ ...line, totalAmount }]))).not.toContain('amount_rounding');
      }),
    );
  });

  it('a name that equals the list’s whole name of its code is confirmed, regardless of other names', () => {
    void fc.assert(
      fc.property(
        fc.constantFrom(...codes),
        tableOf(anyLine),
        fc.array(fc.nat({ max: 60 }), { maxLength: 3 }),
        (code, others, blanks) => {
          const { name } = master.find(code)!;
          const spaced = blanks.reduce((text, at) => `${text.slice(0, at)} ${text.slice(at)}`, name);
          const line = drugLine(
            { drugCode: code, drugName: spaced, quantity: 1, days: 1, prescribedQty: 1, unitPrice: 1 },
            99,
          );
          const items = judge({ ...others, lines: [...others.lines, line] }).items;
          expect(items.at(-1)!.review.filter((note) => note.startsWith('name_'))).toEqual([]);
        },
      ),
    );
  });

  it('lets one printed total doubt no line of a sheet whose lines are each proven', () => {
    void fc.assert(
      fc.property(
        tableOf(trueLine),
        fc.nat(),
        fc.integer({ min: 0, max: 9 }),
        fc.constantFrom('lost', 'changed', 'added'),
        (table, seed, digit, how) => {
          const sum = table.lines.reduce((total, { totalAmount }) => total + totalAmount.value!, 0);
          const total = misreadTotal(sum, seed, digit, how);
          // A won or two may be the rounding of a line.
          fc.pre(Math.abs(total - sum) > table.lines.length);
          const before = judge(table);
          const after = judge({ ...table, printedTotals: { totalAmount: total, lineCount: null } });
          expect(after.items).toEqual(before.items);
          expect(after.summary.completeExtraction).toBe(false);
        },
      ),
    );
  });

  it('doubts a line that explains a total which differs', () => {
    void fc.assert(
      fc.property(tableOf(trueLine), fc.nat(), fc.integer({ min: 11, max: 9999 }), (table, seed, error) => {
        const sum = table.lines.reduce((total, { totalAmount }) => total + totalAmount.value!, 0);
        const index = seed % table.lines.length;
        const line = table.lines[index]!;
        const misread = { ...line, totalAmount: field(line.totalAmount.value! + error) };
        const changed = {
          ...table,
          lines: table.lines.with(index, misread),
          printedTotals: { totalAmount: sum, lineCount: null },
        };
        expect(judge(changed).items[index]!.status).not.toBe('GREEN');
      }),
    );
  });

  it('no prescription with a misread digit of a code, or an unsure number, is GREEN', () => {
    void fc.assert(
      fc.property(
        tableOf(trueLine),
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 9 }),
        confidence,
        (sheet, lineSeed, digitSeed, shift, sureness) => {
          const table = withoutMoney(sheet);
          const index = lineSeed % table.lines.length;
          const line = table.lines[index]!;
          fc.pre(judge(table).items[index]!.status === 'GREEN');
          const code = line.drugCode.value!;
          const at = digitSeed % code.length;
          const misread = code.slice(0, at) + ((Number(code[at]) + shift) % 10) + code.slice(at + 1);
          const statusOf = (changed: DrugLine) =>
            judge({ ...table, lines: table.lines.with(index, changed) }).items[index]!.status;
          expect(statusOf({ ...line, drugCode: field(misread) })).not.toBe('GREEN');
          for (const name of ['quantity', 'days'] as const)
            if (sureness < HIGH_CONFIDENCE.unchecked)
              expect(statusOf({ ...line, [name]: { ...line[name], confidence: sureness } })).not.toBe('GREEN');
        },
      ),
    );
  });

  it('invents no number that a prescription does not print, and asks for none', () => {
    void fc.assert(
      fc.property(tableOf(anyLine), (sheet) => {
        for (const item of judge(withoutMoney(sheet)).items) {
          expect(item).toMatchObject({ prescribedQty: null, unitPrice: null, totalAmount: null, priceCheck: 'none' });
          expect(item.review.join()).not.toMatch(/price|amount|prescribed/);
        }
      }),
    );
  });

  it('proves a column without a header only where its numbers fit no other field', () => {
    const readings = ['quantity', 'days', 'prescribedQty'] as const;
    void fc.assert(
      fc.property(tableOf(trueLine), fc.subarray([...readings], { minLength: 2 }), (table, inferred) => {
        // The columns of two fields change places, as if they had been taken for each other.
        const [one, other] = inferred as [(typeof readings)[number], (typeof readings)[number]];
        const swapped = table.lines.map((line) => ({ ...line, [one]: line[other], [other]: line[one] }));
        const options = { inferredColumns: new Set(inferred) };
        const items = judge(drugTable(swapped, options)).items;
        items.forEach((item, i) => {
          if (item.status === 'GREEN') expect(item[one]).toBe(table.lines[i]![one].value);
        });
      }),
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
      info: master.info,
      size: master.size,
      find: (code) => master.find(code),
      findByOldCode: (code) => master.findByOldCode(code),
      search: (text, limit) => master.search(text, limit),
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
  // An equation proves one of its numbers, however surely it was read; the list proves the price.
  for (const equation of [['quantity', 'days'] as const, ['prescribedQty', 'totalAmount'] as const]) {
    const unsure = equation.filter((name) => line[name].confidence < HIGH_CONFIDENCE.number);
    expect(unsure.length).toBeLessThanOrEqual(1);
  }
  expect(line.drugCode.confidence).toBeGreaterThanOrEqual(HIGH_CONFIDENCE.code);
  expect(drug!.name.slice(0, 2)).toBe(item.drugName!.slice(0, 2));
}

/** One digit of one numeric field or of the code, read as another digit. */
function misreadDigit(line: DrugLine, digitSeed: number, shift: number) {
  const names = ['drugCode', 'quantity', 'days', 'prescribedQty', 'unitPrice', 'totalAmount'] as const;
  const places = names.flatMap((name) =>
    [...String(line[name].value)].flatMap((character, at) => (/\d/.test(character) ? [{ name, at }] : [])),
  );
  const { name, at } = places[digitSeed % places.length]!;
  const text = String(line[name].value);
  const changed = text.slice(0, at) + ((Number(text[at]) + shift) % 10) + text.slice(at + 1);
  return { field: name, line: { ...line, [name]: field(name === 'drugCode' ? changed : Number(changed)) } as DrugLine };
}
