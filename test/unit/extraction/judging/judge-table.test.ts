import { describe, expect, it } from 'vitest';
import type { Item } from '../../../../functions/extraction/domain/extraction.ts';
import { judgeTable } from '../../../../functions/extraction/domain/judging/judge-table.ts';
import { gs1CheckDigit } from '../../../../functions/extraction/domain/master/drug-code.ts';
import type { DrugMaster } from '../../../../functions/extraction/domain/master/drug-master.ts';
import { drugLine, drugMaster, drugTable, field, type LineValues } from '../../../helpers/drug-table.ts';

const TODAY = '2026-11-21';
const GAON = '가온정5밀리그램(암로디핀베실산염)_(5mg/1정)';
const NARAE = '나래캡슐200밀리그램(세레콕시브)_(0.2g/1캡슐)';
const master = drugMaster({
  '640500010': [GAON, 112],
  '642900120': [
    NARAE,
    [
      { from: '2025-01-01', krw: 450 },
      { from: '2026-01-01', krw: 402 },
      { from: '2026-12-01', krw: 390 },
    ],
  ],
  '651700430': [
    '다솜시럽100mL(암브록솔염산염)_(100mL)',
    [
      { from: '2025-01-01', krw: 11 },
      { from: '2026-10-01', krw: null },
    ],
  ],
  '660000010': ['라온시럽(가나다)_(100mL)', 20],
  '660000020': ['라온시럽(가나다)_(500mL)', 20],
});

const gaon: LineValues = {
  drugCode: '640500010',
  drugName: GAON,
  quantity: 3,
  days: 7,
  prescribedQty: 21,
  unitPrice: 112,
  totalAmount: 2352,
};
const narae: LineValues = {
  drugCode: '642900120',
  drugName: NARAE,
  quantity: 1,
  days: 30,
  prescribedQty: 30,
  unitPrice: 402,
  totalAmount: 12060,
};

function judgeOne(values: LineValues, options: Parameters<typeof drugTable>[1] = {}): Item {
  return judgeTable(drugTable([values], options), master, TODAY).items[0]!;
}
const codesOf = (item: Item) => item.review.map((note) => note.slice(0, note.indexOf(':')));

describe('a line', () => {
  it('of which everything is confirmed is GREEN', () => {
    expect(judgeOne(gaon)).toEqual({
      drugCode: '640500010',
      drugName: GAON,
      quantity: 3,
      days: 7,
      prescribedQty: 21,
      unitPrice: 112,
      totalAmount: 2352,
      codeInMaster: true,
      suggestedDrugCode: null,
      priceCheck: 'current',
      status: 'GREEN',
      needsReview: false,
      review: [],
    });
  });

  it.each<[string, LineValues, string, string]>([
    ['whose code is missing', { ...gaon, drugCode: null }, 'RED', 'code_missing'],
    ['whose code is unknown', { ...gaon, drugCode: '640500019' }, 'RED', 'code_unknown'],
    ['whose code lost its zero', { ...gaon, drugCode: '40500010' }, 'RED', 'code_unknown'],
    ['whose name is another drug', { ...gaon, drugName: NARAE }, 'YELLOW', 'name_mismatch'],
    [
      'whose name has another strength',
      { ...gaon, drugName: '가온정10밀리그램(암로디핀베실산염)' },
      'YELLOW',
      'name_mismatch',
    ],
    ['whose name is missing', { ...gaon, drugName: null }, 'YELLOW', 'name_missing'],
    ['whose quantity is missing', { ...gaon, quantity: null }, 'RED', 'quantity_missing'],
    ['whose amount is missing', { ...gaon, totalAmount: null }, 'RED', 'amount_missing'],
    ['whose days are missing', { ...gaon, days: null }, 'YELLOW', 'days_missing'],
    ['whose prescribed quantity is missing', { ...gaon, prescribedQty: null }, 'YELLOW', 'prescribed_qty_missing'],
    ['whose price is missing', { ...gaon, unitPrice: null }, 'YELLOW', 'price_missing'],
    ['whose quantities contradict', { ...gaon, quantity: 4 }, 'RED', 'quantity_contradiction'],
    ['whose amount contradicts', { ...gaon, totalAmount: 2952 }, 'RED', 'amount_contradiction'],
    ['whose amount is off by one', { ...gaon, totalAmount: 2353 }, 'YELLOW', 'amount_rounding'],
    ['whose amount is cut to tens on no other line', { ...gaon, totalAmount: 2350 }, 'YELLOW', 'amount_rounding'],
    ['whose amount is zero', { ...gaon, totalAmount: 0 }, 'RED', 'amount_contradiction'],
  ])('%s is not GREEN', (_case, values, status, code) => {
    const item = judgeOne(values);
    expect(item.status).toBe(status);
    expect(codesOf(item)).toContain(code);
    expect(item.needsReview).toBe(true);
  });

  it.each(['quantity', 'days', 'prescribedQty', 'unitPrice', 'totalAmount', 'drugCode'] as const)(
    'of which %s was read with little confidence is YELLOW',
    (name) => {
      const line = drugLine(gaon);
      const unsure = { ...line, [name]: { ...line[name], confidence: 0.4 } };
      const item = judgeTable(drugTable([unsure]), master, TODAY).items[0]!;
      expect(item.status).toBe('YELLOW');
      expect(codesOf(item)).toEqual(['low_confidence']);
    },
  );

  it('whose name is the list’s own, but was not found on the page by a second reading, is no GREEN', () => {
    const line = drugLine(gaon, 1);
    const claimed = { ...line, drugName: { ...line.drugName, confidence: 0 } };
    expect(codesOf(judgeTable(drugTable([claimed]), master, TODAY).items[0]!)).toEqual(['name_uncertain']);
  });

  it('needs a name that agrees with the list beyond the strength, however surely it was read up to there', () => {
    const named = (name: string, confidence: number) =>
      judgeTable(drugTable([{ ...drugLine(gaon), drugName: field(name, confidence) }]), master, TODAY).items[0]!;
    expect(named('가온정 5mg', 0.6).status).toBe('GREEN');
    expect(codesOf(named('가온정', 0.99))).toEqual(['name_uncertain']);
    // 5 of 50?
    expect(codesOf(named('가온정5', 0.99))).toEqual(['name_uncertain']);
    expect(codesOf(named('가은정5밀리그램(암로디핀베실산염)', 0.99))).toEqual(['name_uncertain']);
  });

  it('says the numbers in its notes', () => {
    expect(judgeOne({ ...gaon, unitPrice: 118, totalAmount: 2478 }).review).toEqual([
      "price_mismatch: unit price 118 is not the list's; the list says 112 (in force since 2025-01-01)",
    ]);
    expect(judgeOne({ ...gaon, quantity: 8 }).review).toEqual([
      'quantity_contradiction: quantity 8 × days 7 is 56, not the prescribed quantity 21',
    ]);
  });
});

describe('priceCheck', () => {
  const priced = (unitPrice: number | null): LineValues => ({
    ...narae,
    unitPrice,
    totalAmount: 30 * (unitPrice ?? 402),
  });
  it.each<[string, LineValues, string, string]>([
    ['current', priced(402), 'current', 'GREEN'],
    ['historical', priced(450), 'historical', 'YELLOW'],
    ['mismatch', priced(500), 'mismatch', 'RED'],
    ['mismatch for a price not yet in force', priced(390), 'mismatch', 'RED'],
    ['none without a price', priced(null), 'none', 'YELLOW'],
    ['none without a known code', { ...priced(402), drugCode: '699999999' }, 'none', 'RED'],
  ])('is %s', (_case, values, priceCheck, status) => {
    expect(judgeOne(values)).toMatchObject({ priceCheck, status });
  });

  it('is historical for the last price of a drug that left the list', () => {
    const line = {
      drugCode: '651700430',
      drugName: '다솜시럽100mL',
      quantity: 15,
      days: 3,
      prescribedQty: 45,
      unitPrice: 11,
      totalAmount: 495,
    };
    expect(judgeOne(line)).toMatchObject({ priceCheck: 'historical', status: 'YELLOW' });
  });
});

describe('codes', () => {
  const standard = (insurance: string) => `880${insurance}${gs1CheckDigit(`880${insurance}`)}`;

  it('of 13 digits are matched by digits 4 to 12 and stay as visible', () => {
    const drugCode = standard('640500010');
    expect(judgeOne({ ...gaon, drugCode })).toMatchObject({ drugCode, codeInMaster: true, status: 'GREEN' });
  });

  it('of 13 digits with a wrong check digit are not GREEN', () => {
    const right = standard('640500010');
    const wrong = right.slice(0, 12) + ((Number(right[12]) + 1) % 10);
    const item = judgeOne({ ...gaon, drugCode: wrong });
    expect(item).toMatchObject({ codeInMaster: true, status: 'YELLOW' });
    expect(codesOf(item)).toEqual(['code_check_digit']);
  });

  it('of 8 digits are matched with their zero, and need a look', () => {
    const zero = drugMaster({ '053100230': [GAON, 112] });
    const item = judgeTable(drugTable([{ ...gaon, drugCode: '53100230' }]), zero, TODAY).items[0]!;
    expect(item).toMatchObject({ drugCode: '53100230', codeInMaster: true, status: 'YELLOW' });
    expect(codesOf(item)).toEqual(['code_incomplete']);
  });

  it('are ambiguous when one digit away stands a drug of the same name and price', () => {
    const line = {
      drugCode: '660000010',
      drugName: '라온시럽',
      quantity: 10,
      days: 3,
      prescribedQty: 30,
      unitPrice: 20,
      totalAmount: 600,
    };
    expect(codesOf(judgeOne(line))).toEqual(['code_ambiguous']);
    expect(judgeOne({ ...line, drugName: '라온시럽(가나다)_(100mL)' }).status).toBe('GREEN');
  });
});

describe('suggestions', () => {
  it('are given for unknown codes only, and change nothing else', () => {
    expect(judgeOne({ ...gaon, drugCode: '690000000' })).toMatchObject({
      drugCode: '690000000',
      suggestedDrugCode: '640500010',
      codeInMaster: false,
      status: 'RED',
    });
    expect(judgeOne(gaon).suggestedDrugCode).toBeNull();
  });

  it('among names that fit equally take the printed price, then the nearest code', () => {
    const line = { ...gaon, drugName: '라온시럽', unitPrice: 20 };
    expect(judgeOne({ ...line, drugCode: '660000021' }).suggestedDrugCode).toBe('660000020');
    expect(judgeOne({ ...line, drugCode: null }).suggestedDrugCode).toBeNull();
  });
});

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

  it('of which a header could not be read are never GREEN: quantity and days may have changed places', () => {
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

describe('columns without a readable header', () => {
  const inferred = (...fields: string[]) => ({ inferredColumns: new Set(fields) as never });
  const dose = (quantity: number, days: number): LineValues => ({
    ...gaon,
    quantity,
    days,
    prescribedQty: quantity * days,
    totalAmount: quantity * days * 112,
  });
  const codes = (lines: LineValues[], options: Parameters<typeof drugTable>[1]) => [
    ...new Set(judgeTable(drugTable(lines, options), master, TODAY).items.flatMap(codesOf)),
  ];
  const sheet = [dose(3, 7), dose(2, 5), dose(1, 30), dose(4, 10)];

  it('are proven by a sheet whose arithmetic allows no other reading', () => {
    for (const field of ['quantity', 'prescribedQty', 'days']) expect(codes(sheet, inferred(field))).toEqual([]);
    expect(codes(sheet, inferred('quantity', 'prescribedQty'))).toEqual([]);
    expect(codes([dose(0.5, 8), dose(2.5, 14), dose(1, 30)], inferred('quantity', 'days'))).toEqual([]);
  });

  it('are not proven where quantity and days may have changed places', () => {
    expect(codes(sheet, inferred('quantity', 'days'))).toEqual(['column_inferred']);
    expect(codes([dose(0.5, 6), dose(2, 4), dose(1, 30)], inferred('quantity', 'days'))).toEqual(['column_inferred']);
  });

  it('are not proven by a sheet of one line, or by products of one', () => {
    expect(codes([dose(3, 7)], inferred('quantity'))).toEqual(['column_inferred']);
    expect(codes([dose(1, 1), dose(1, 1), dose(1, 1)], inferred('days', 'prescribedQty'))).toEqual(['column_inferred']);
  });

  it('are not proven where the only quantity may be a dose or a total', () => {
    const columns = new Set(['drugCode', 'drugName', 'quantity', 'unitPrice', 'totalAmount']) as never;
    const monthly = sheet.map((line) => ({ ...line, quantity: line.prescribedQty!, days: null, prescribedQty: null }));
    expect(codes(monthly, { columns, ...inferred('quantity') })).toEqual(['column_inferred']);
  });
});

describe('prescriptions, without prices and amounts', () => {
  const columns = new Set(['drugCode', 'drugName', 'quantity', 'timesPerDay', 'days']) as never;
  const dose: LineValues = { drugCode: '640500010', drugName: GAON, quantity: 1, timesPerDay: 3, days: 7 };
  const lineWith = (field: 'quantity' | 'days', confidence: number) => {
    const line = drugLine(dose);
    return { ...line, [field]: { ...line[field], confidence } };
  };
  const judge = (lines: Parameters<typeof drugTable>[0], options: Parameters<typeof drugTable>[1] = {}) =>
    judgeTable(drugTable(lines, { columns, ...options }), master, TODAY).items;

  it('are GREEN as far as the sheet has columns; what it does not print stays null', () => {
    expect(judge([dose])[0]).toMatchObject({
      quantity: 1,
      days: 7,
      prescribedQty: null,
      unitPrice: null,
      totalAmount: null,
      priceCheck: 'none',
      status: 'GREEN',
      review: [],
    });
  });

  it.each<[string, LineValues, string, string]>([
    ['an unknown code', { ...dose, drugCode: '640500019' }, 'RED', 'code_unknown'],
    ['no code', { ...dose, drugCode: null }, 'RED', 'code_missing'],
    ['no dose', { ...dose, quantity: null }, 'RED', 'quantity_missing'],
    ['no days', { ...dose, days: null }, 'YELLOW', 'days_missing'],
    ['no name', { ...dose, drugName: null }, 'YELLOW', 'name_missing'],
    ['another name', { ...dose, drugName: NARAE }, 'YELLOW', 'name_mismatch'],
  ])('say that there is %s', (_case, values, status, code) => {
    const item = judge([values])[0]!;
    expect(item.status).toBe(status);
    expect(codesOf(item)).toContain(code);
  });

  it('whose doses or days were not read surely are YELLOW', () => {
    expect(codesOf(judge([lineWith('quantity', 0.9)])[0]!)).toEqual(['unproven_value']);
    expect(codesOf(judge([lineWith('days', 0.9)])[0]!)).toEqual(['unproven_value']);
  });

  it.each(['crossed', 'beside'] as const)('whose days are doubted as %s say so and are YELLOW', (doubt) => {
    const line = drugLine(dose);
    const item = judge([{ ...line, days: { ...line.days, doubt } }])[0]!;
    expect(item).toMatchObject({ days: 7, status: 'YELLOW' });
    expect(item.review).toEqual([expect.stringMatching(/^value_doubted: .* the days 7$/)]);
  });

  it('without the times a day that the sheet has a column for may have them as their dose', () => {
    expect(codesOf(judge([{ ...dose, timesPerDay: null }])[0]!)).toEqual(['value_doubted']);
  });

  it('of which much was not read surely prove nothing in the columns that were read badly', () => {
    const others = Array.from({ length: 2 }, (_, i) => ({ ...lineWith('days', 0.8), row: i + 2 }));
    expect(judge([drugLine(dose, 1), ...others])[0]!.review).toEqual([
      expect.stringMatching(/^unproven_value: .* the days 7$/),
    ]);
    const lessSure = judge([{ ...lineWith('quantity', 0.98), row: 1 }, ...others])[0]!;
    expect(codesOf(lessSure)).toEqual(['unproven_value', 'unproven_value']);
  });

  it.each([
    [0.6667, [], 'GREEN'],
    [0.667, [], 'GREEN'],
    [0.666, [], 'YELLOW'],
    [0.3333, [], 'GREEN'],
    [0.333, [], 'YELLOW'],
    [0.333, [0.6667], 'YELLOW'],
    [0.333, [0.125], 'GREEN'],
    [0.333, [0.667], 'GREEN'],
    [0.333, [0.333], 'YELLOW'],
    [0.33, [0.5], 'GREEN'],
    [0.33, [0.3333], 'YELLOW'],
    [0.5, [], 'GREEN'],
  ] as const)('whose dose %d may be a third that has lost a digit beside %j are %s', (quantity, others, status) => {
    const lines = [quantity, ...others].map((each) => ({ ...dose, quantity: each }));
    const [item] = judge(lines);
    expect(item!.status).toBe(status);
    expect(codesOf(item!)).toEqual(status === 'GREEN' ? [] : ['unproven_value']);
  });

  it('may name a maker that the list has, and drop the end of how the drug is counted', () => {
    const made: DrugMaster = {
      ...master,
      find: (code) => {
        const drug = master.find(code);
        return drug && { ...drug, maker: '가온제약(주)' };
      },
    };
    const statusOf = (drugName: string) =>
      judgeTable(drugTable([{ ...dose, drugName }], { columns }), made, TODAY).items[0]!;
    expect(statusOf('(가온)가온정5밀리그램').status).toBe('GREEN');
    expect(codesOf(statusOf('(없는)가온정5밀리그램'))).toEqual(['name_uncertain']);
    for (const end of ['/1정', '/1', '(내', '(']) expect(statusOf(`가온정5밀리그램${end}`).status, end).toBe('GREEN');
    expect(codesOf(statusOf('가온정5밀리그램/2'))).not.toEqual([]);
  });

  it('may cut a name where its column ends, if it was read surely', () => {
    const cut = (confidence: number, nameFillsColumn: boolean) => {
      const line = drugLine({ ...dose, drugName: '가온정5' });
      return codesOf(judge([{ ...line, drugName: { ...line.drugName, confidence }, nameFillsColumn }])[0]!);
    };
    expect(cut(0.99, true)).toEqual([]);
    expect(cut(0.5, true)).toEqual(['name_uncertain']);
    expect(cut(0.99, false)).toEqual(['name_uncertain']);
  });

  it('that print a total check it', () => {
    const withTotal = new Set([...(columns as ReadonlySet<string>), 'prescribedQty']) as never;
    expect(judge([{ ...dose, prescribedQty: 21 }], { columns: withTotal })[0]!.status).toBe('GREEN');
    expect(judge([{ ...dose, prescribedQty: 27 }], { columns: withTotal })[0]!.status).toBe('RED');
  });

  it('name no drug for sure when one digit away stands one of the same name, whatever it costs', () => {
    const twins = drugMaster({
      '660000010': ['라온시럽(가나다)_(100mL)', 20],
      '660000020': ['라온시럽(가나다)_(500mL)', 35],
    });
    const line = { ...dose, drugCode: '660000010', drugName: '라온시럽' };
    const [item] = judgeTable(drugTable([line], { columns }), twins, TODAY).items;
    expect(codesOf(item!)).toEqual(['code_ambiguous']);
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

  it('is true beside unread rows that the printed total leaves no room for', () => {
    const { summary, items } = judge({ ...total(14412), unreadRows: [3], bounded: false });
    expect(summary.completeExtraction).toBe(true);
    expect(items.every(({ status }) => status === 'GREEN')).toBe(true);
  });

  it('is false beside unread rows; their neighbours need a look', () => {
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

  it('is unknown when an amount is missing under a printed total', () => {
    const table = drugTable([gaon, { ...narae, totalAmount: null }], total(14412));
    expect(judgeTable(table, master, TODAY).summary.completeExtraction).toBeNull();
  });
});

describe('names that end too early', () => {
  const long = '가온정5밀리그램(암로디핀베실산염)_(5mg/1정)';
  const statusesOf = (names: readonly string[]) =>
    judgeTable(drugTable(names.map((drugName) => ({ ...gaon, drugName }))), master, TODAY).items.map(
      ({ status }) => status,
    );

  it('beside longer ones have probably lost their second line', () => {
    expect(statusesOf([long, long, '가온정5밀리그'])).toEqual(['GREEN', 'GREEN', 'YELLOW']);
    expect(statusesOf([long, long, '가온정5밀리그램'])).toEqual(['GREEN', 'GREEN', 'YELLOW']);
  });

  it('are confirmed when they are the whole name that the list gives their code', () => {
    const short = drugMaster({ '640500010': [GAON, 112], '642900120': ['나래정', 402] });
    const lines = [gaon, gaon, { ...narae, drugName: '나 래정' }];
    expect(judgeTable(drugTable(lines), short, TODAY).items.map(({ status }) => status)).toEqual([
      'GREEN',
      'GREEN',
      'GREEN',
    ]);
  });

  it('were cut by the sheet when it cuts every longer name at as many letters', () => {
    const drugs = drugMaster({
      '640500010': ['가온필름코팅정50밀리그램(암로디핀)', 112],
      '640600020': ['나래구강붕해정5밀리그램(로사르탄)', 112],
      '640700030': ['다솜연질캡슐0.5밀리그램(세레콕시브)', 112],
    });
    const names = { '640500010': '가온필름코팅정5', '640600020': '나래구강붕해정5', '640700030': '다솜연질캡슐0.' };
    const statuses = (changed: Record<string, string>) => {
      const lines = Object.entries({ ...names, ...changed }).map(([drugCode, drugName]) => ({
        ...gaon,
        drugCode,
        drugName,
      }));
      return judgeTable(drugTable(lines), drugs, TODAY).items.map(({ status }) => status);
    };
    expect(statuses({})).toEqual(['GREEN', 'GREEN', 'GREEN']);
    expect(statuses({ '640500010': '가온필름코팅정' })[0]).toBe('YELLOW');
    expect(statuses({ '640600020': '나래구강붕해정5밀' })[0]).toBe('YELLOW');
    expect(statuses({ '640500010': '가온필름코팅정6' })[0]).toBe('YELLOW');
  });

  it('are a convention of sheets that cut names off, or leave ingredients out', () => {
    expect(statusesOf(['가온정5밀리그램(암', '가온정5밀리그램(암', '가온정5밀리그램(암'])).toEqual([
      'GREEN',
      'GREEN',
      'GREEN',
    ]);
    expect(statusesOf(['가온정5밀리그램', '가온정5밀리그램'])).toEqual(['GREEN', 'GREEN']);
  });
});
