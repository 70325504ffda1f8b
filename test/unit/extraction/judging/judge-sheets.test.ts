import { describe, expect, it } from 'vitest';
import { judgeTable } from '../../../../functions/extraction/domain/judging/judge-table.ts';
import { drugLine, drugMaster, drugTable, type LineValues } from '../../../helpers/drug-table.ts';
import { codesOf, gaon, judgeOne, master, narae, TODAY } from '../../../helpers/two-drugs.ts';

describe('sheets', () => {
  const without = (...missing: string[]) =>
    new Set(
      ['drugCode', 'drugName', 'quantity', 'days', 'prescribedQty', 'unitPrice', 'totalAmount'].filter(
        (name) => !missing.includes(name),
      ),
    ) as never;

  it('without prescribed quantity are checked by quantity × days × price', () => {
    const line = { ...gaon, prescribedQty: null };
    expect(judgeOne(line, { columns: without('prescribedQty') }).status).toBe('GREEN');
    expect(judgeOne({ ...line, days: 1 }, { columns: without('prescribedQty') }).status).toBe('RED');
  });

  it('with times a day multiply with them', () => {
    const columns = new Set([...without('x'), 'timesPerDay'] as const) as never;
    const line = { ...gaon, quantity: 1, timesPerDay: 3 };
    expect(judgeOne(line, { columns }).status).toBe('GREEN');
    expect(judgeOne({ ...line, timesPerDay: 2 }, { columns }).status).toBe('RED');
  });

  it('of a month: the quantity is the total', () => {
    const line = { ...gaon, quantity: 21, days: null, prescribedQty: null };
    expect(judgeOne(line, { columns: without('days', 'prescribedQty') }).status).toBe('GREEN');
  });

  it('without amounts, or without prices, confirm no quantity: never GREEN', () => {
    for (const missing of ['totalAmount', 'unitPrice']) {
      const item = judgeOne({ ...gaon, [missing]: null }, { columns: without(missing) });
      expect(item.status).toBe('YELLOW');
      expect(codesOf(item)).toContain('unproven_value');
    }
  });

  it('with an unread header are never GREEN: quantity and days may have changed places', () => {
    const item = judgeOne(gaon, { inferredColumns: new Set(['quantity', 'days'] as const) });
    expect(item.status).toBe('YELLOW');
    expect(codesOf(item)).toEqual(['column_inferred', 'column_inferred']);
    expect(judgeOne(gaon, { inferredColumns: new Set(['drugCode', 'unitPrice', 'totalAmount'] as const) }).status).toBe(
      'GREEN',
    );
  });

  it('in which days take no part in any equation confirm no days', () => {
    const columns = without('prescribedQty');
    const monthly = (line: LineValues): LineValues => ({ ...line, quantity: line.prescribedQty!, prescribedQty: null });
    const table = drugTable([monthly(gaon), monthly(narae), monthly({ ...gaon, days: 5 }), monthly(narae)], {
      columns,
    });
    for (const item of judgeTable(table, master, TODAY).items) {
      expect(item.status).toBe('YELLOW');
      expect(codesOf(item)).toEqual(['unproven_value']);
    }
  });

  it('that cut amounts to tens show it on other lines', () => {
    const cut = (line: LineValues): LineValues => ({ ...line, totalAmount: Math.floor(line.totalAmount! / 10) * 10 });
    const others = [2, 4, 6].map((days) => cut({ ...gaon, days, prescribedQty: 3 * days, totalAmount: 336 * days }));
    const items = judgeTable(drugTable([cut(gaon), ...others]), master, TODAY).items;
    expect(items.map(({ status }) => status)).toEqual(['GREEN', 'GREEN', 'GREEN', 'GREEN']);
    const exact = judgeTable(drugTable([gaon, ...others]), master, TODAY).items[0]!;
    expect(codesOf(exact)).toEqual(['amount_rounding']);
  });

  it('may round fractions of a won down, half up or up, unless several other lines are of one mind', () => {
    const half = (days: number, totalAmount: number): LineValues => ({
      drugCode: '651700431',
      drugName: '마루정',
      quantity: 0.5,
      days,
      prescribedQty: days / 2,
      unitPrice: 11,
      totalAmount,
    });
    const odd = drugMaster({ '651700431': ['마루정', 11] });
    const statuses = (lines: LineValues[]) =>
      judgeTable(drugTable(lines), odd, TODAY).items.map(({ status }) => status);
    expect(statuses([half(3, 16)])).toEqual(['GREEN']);
    expect(statuses([half(3, 17)])).toEqual(['GREEN']);
    expect(statuses([half(3, 16), half(5, 28), half(7, 38)])).toEqual(['GREEN', 'GREEN', 'GREEN']);
    expect(statuses([half(3, 15)])).toEqual(['YELLOW']);
    expect(statuses([half(3, 17), half(5, 27), half(7, 38), half(9, 49)])).toEqual([
      'YELLOW',
      'GREEN',
      'GREEN',
      'GREEN',
    ]);
  });
});

describe('completeExtraction', () => {
  const judge = (options: Parameters<typeof drugTable>[1]) =>
    judgeTable(drugTable([gaon, narae], options), master, TODAY);
  const total = (totalAmount: number | null, lineCount: number | null = null) => ({
    printedTotals: { totalAmount, lineCount },
  });

  it('is true when nothing is missing and totals agree', () => {
    for (const options of [{}, total(14412), total(14412, 2)]) {
      const { summary } = judge(options);
      expect(summary).toEqual({
        items: 2,
        needsReview: 0,
        byStatus: { green: 2, yellow: 0, red: 0 },
        completeExtraction: true,
      });
    }
  });

  it('is false when the total differs; lines that are each proven outweigh it', () => {
    for (const misread of [1441, 4412, 14413, 99999]) {
      const { summary, items } = judge(total(misread));
      expect(summary.completeExtraction).toBe(false);
      expect(items.map(codesOf)).toEqual([[], []]);
    }
  });

  it('is false when the total differs by a won that the rounding of a line leaves open', () => {
    const half = { ...narae, quantity: 0.5, days: 3, prescribedQty: 1.5, unitPrice: 11, totalAmount: 16 };
    const table = drugTable([gaon, half], total(2352 + 17));
    const { items, summary } = judgeTable(table, master, TODAY);
    expect(items.map((item) => codesOf(item).includes('total_mismatch'))).toEqual([false, true]);
    expect(summary.completeExtraction).toBe(false);
  });

  it('leaves proven lines alone when another line explains the total', () => {
    const table = drugTable([gaon, { ...narae, totalAmount: 1206 }], total(14412));
    const { items, summary } = judgeTable(table, master, TODAY);
    expect(items.map(({ status }) => status)).toEqual(['GREEN', 'RED']);
    expect(summary.completeExtraction).toBe(false);
  });

  it('is false when the sheet counts other lines', () => {
    const { summary, items } = judge(total(null, 3));
    expect(summary.completeExtraction).toBe(false);
    expect(items.every(({ status }) => status === 'YELLOW')).toBe(true);
  });

  it('is unknown when the sum contradicts the count', () => {
    const { summary, items } = judge(total(14412, 3));
    expect(summary.completeExtraction).toBeNull();
    expect(items.every(({ status }) => status === 'GREEN')).toBe(true);
  });

  it('is true with unread rows that the printed total leaves no room for', () => {
    const { summary, items } = judge({ ...total(14412), unreadRows: [3], bounded: false });
    expect(summary.completeExtraction).toBe(true);
    expect(items.every(({ status }) => status === 'GREEN')).toBe(true);
  });

  it('is false with unread rows; their neighbours need review', () => {
    const table = drugTable([drugLine(gaon, 1), drugLine(narae, 2), drugLine(gaon, 4)], { unreadRows: [3] });
    const { items, summary } = judgeTable(table, master, TODAY);
    expect(items.map(({ status }) => status)).toEqual(['GREEN', 'YELLOW', 'YELLOW']);
    expect(summary.completeExtraction).toBe(false);
  });

  it('is false when the picture cuts the table off', () => {
    const { items, summary } = judge({ bounded: false });
    expect(items.map(({ status }) => status)).toEqual(['YELLOW', 'YELLOW']);
    expect(summary.completeExtraction).toBe(false);
  });

  it('is false if a printed number could not be read, and stays true next to an empty cell', () => {
    const quantityOf = (confidence: number) => {
      const line = { ...drugLine(gaon), quantity: { value: null, text: confidence === 0 ? '≡' : '', confidence } };
      return judgeTable(drugTable([line, narae]), master, TODAY).summary.completeExtraction;
    };
    expect([quantityOf(0), quantityOf(1)]).toEqual([false, true]);
  });

  it('is unknown when an amount is missing under a printed total', () => {
    const table = drugTable([gaon, { ...narae, totalAmount: null }], total(14412));
    expect(judgeTable(table, master, TODAY).summary.completeExtraction).toBeNull();
  });
});
