import { describe, expect, it } from 'vitest';
import { inventedMaster } from '../../../bench/corpus/invented-drugs.ts';
import { masterCsv, priceToday } from '../../../bench/corpus/master.ts';
import { Random } from '../../../bench/corpus/random.ts';
import { drugLines, type LineStyle } from '../../../bench/corpus/sheet/drug-lines.ts';
import { LAYOUTS } from '../../../bench/corpus/sheet/layouts.ts';
import { numberStyle } from '../../../bench/corpus/sheet/numbers.ts';
import { nameStyle } from '../../../bench/corpus/sheet/printed-name.ts';
import { isField } from '../../../bench/corpus/sheet/sheet.ts';
import { loadMaster } from '../../../functions/adapters/drug-master/master-bytes.ts';

const master = inventedMaster();
const sheets = LAYOUTS.flatMap((layout) =>
  [true, false].map((faulty) => {
    const random = new Random(`${layout.id} ${faulty}`);
    const columns = new Set(layout.columns.map(({ kind }) => kind).filter(isField));
    const style: LineStyle = {
      layout,
      columns,
      numbers: numberStyle(random),
      names: nameStyle(random),
      zerosEaten: false,
      faulty,
    };
    return { style, lines: drugLines(random, master, 'tuned', 300, style) };
  }),
);

describe('drugLines', () => {
  it('prints numbers that read back as the values of the truth', () => {
    for (const { lines } of sheets)
      for (const { printed, item } of lines) {
        if (item.quantity !== null) expect(Number(printed.quantity.replaceAll(',', ''))).toBe(item.quantity);
        if (item.prescribedQty !== null)
          expect(Number(printed.prescribedQty.replaceAll(',', ''))).toBe(item.prescribedQty);
        if (item.totalAmount !== null) expect(Number(printed.totalAmount.replaceAll(',', ''))).toBe(item.totalAmount);
      }
  });

  it('expects GREEN only of lines that multiply out, with a price in force where prices are printed', () => {
    const greens = sheets
      .flatMap(({ style, lines }) => lines.map((line) => ({ style, line })))
      .filter(({ line }) => line.expectation.status === 'GREEN');
    const isPriced = ({ style }: (typeof greens)[number]) => style.columns.has('unitPrice');
    expect(greens.filter(isPriced).length).toBeGreaterThan(1000);
    const prescribed = greens.filter((green) => !isPriced(green));
    expect(prescribed.length).toBeGreaterThan(0);
    for (const { line } of prescribed)
      expect(line).toMatchObject({ expectation: { priceCheck: 'none' }, item: { unitPrice: null, totalAmount: null } });
    for (const { style, line } of greens.filter(isPriced)) {
      const { quantity, days, prescribedQty, unitPrice, totalAmount } = line.item;
      const total = prescribedQty ?? quantity! * (line.timesPerDay ?? 1) * (days ?? 1);
      expect(Math.abs(total * unitPrice! - totalAmount!)).toBeLessThan(style.numbers.roundingKrw + 1e-6);
      expect(unitPrice).toBe(priceToday(line.drug));
      expect(line.errors).toEqual([]);
    }
  });

  it('expects RED of unknown codes, of prices off the list and of amounts that contradict', () => {
    const red = [
      'code_unknown',
      'code_misprint',
      'code_old_form',
      'price_mismatch',
      'amount_misprint',
      'total_quantity_misprint',
    ] as const;
    for (const error of red) {
      const faulty = sheets.flatMap(({ lines }) => lines).filter(({ errors }) => errors.includes(error));
      expect(faulty.length, error).toBeGreaterThan(0);
      expect(new Set(faulty.map(({ expectation }) => expectation.status)), error).toEqual(new Set(['RED']));
    }
  });

  it('plants nothing in sheets that are to be right', () => {
    expect(
      sheets
        .filter(({ style }) => !style.faulty)
        .every(({ lines }) => lines.every(({ errors }) => errors.length === 0)),
    ).toBe(true);
  });
});

describe('inventedMaster', () => {
  it('is a list that the service itself can load', async () => {
    const loaded = await loadMaster(new TextEncoder().encode(masterCsv(master.byCode.values())));
    expect(loaded.size).toBe(master.byCode.size);
    const drug = master.drugs.untuned[17]!;
    expect(loaded.find(drug.code)?.prices.at(-1)?.krw).toBe(priceToday(drug));
  });

  it('gives no drug of one split to the other', () => {
    const tuned = new Set(master.drugs.tuned.map(({ brand }) => brand));
    expect(master.drugs.untuned.some(({ brand }) => tuned.has(brand))).toBe(false);
  });
});
