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
    const fields = ['quantity', 'prescribedQty', 'totalAmount'] as const;
    const misprints = sheets
      .flatMap(({ lines }) => lines)
      .filter(({ printed, item }) =>
        fields.some((field) => item[field] !== null && Number(printed[field].replaceAll(',', '')) !== item[field]),
      );
    expect(misprints).toEqual([]);
  });

  it('expects GREEN only of lines that multiply out, with a price in force where prices are printed', () => {
    const greens = sheets
      .flatMap(({ style, lines }) => lines.map((line) => ({ style, line })))
      .filter(({ line }) => line.expectation.status === 'GREEN');
    const isPriced = ({ style }: (typeof greens)[number]) => style.columns.has('unitPrice');
    expect(greens.filter(isPriced).length).toBeGreaterThan(1000);
    const prescribed = greens.filter((green) => !isPriced(green));
    expect(prescribed.length).toBeGreaterThan(0);
    const priceless = prescribed.filter(
      ({ line: { expectation, item } }) =>
        expectation.priceCheck === 'none' && item.unitPrice === null && item.totalAmount === null,
    );
    expect(priceless).toHaveLength(prescribed.length);
    const unfounded = greens.filter(isPriced).filter(({ style, line }) => {
      const { quantity, days, prescribedQty, unitPrice, totalAmount } = line.item;
      const total = prescribedQty ?? quantity! * (line.timesPerDay ?? 1) * (days ?? 1);
      const off = Math.abs(total * unitPrice! - totalAmount!);
      return off >= style.numbers.roundingKrw + 1e-6 || unitPrice !== priceToday(line.drug) || line.errors.length > 0;
    });
    expect(unfounded).toEqual([]);
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
    const drugs = master.drugs.untuned.slice(0, 500);
    const loaded = await loadMaster(new TextEncoder().encode(masterCsv(drugs)));
    expect(loaded.size).toBe(drugs.length);
    const drug = drugs[17]!;
    expect(loaded.find(drug.code)?.prices.at(-1)?.krw).toBe(priceToday(drug));
  });

  it('gives no drug of one split to the other', () => {
    const tuned = new Set(master.drugs.tuned.map(({ brand }) => brand));
    expect(master.drugs.untuned.some(({ brand }) => tuned.has(brand))).toBe(false);
  });
});
