import { describe, expect, it } from 'vitest';
import { judgeTable } from '../../../../functions/extraction/domain/judging/judge-table.ts';
import { gs1CheckDigit } from '../../../../functions/extraction/domain/master/drug-code.ts';
import { drugLine, drugMaster, drugTable, field, type LineValues } from '../../../helpers/drug-table.ts';
import { codesOf, GAON, gaon, judgeOne, master, NARAE, narae, TODAY } from '../../../helpers/two-drugs.ts';

describe('a line', () => {
  it('is GREEN if everything is confirmed', () => {
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

  const unsure = (values: LineValues, ...fields: readonly (keyof LineValues)[]) => {
    const line = drugLine(values);
    const doubted = Object.fromEntries(fields.map((name) => [name, { ...line[name], confidence: 0.4 }]));
    return judgeTable(drugTable([{ ...line, ...doubted }]), master, TODAY).items[0]!;
  };

  it.each([
    ['quantity'],
    ['days'],
    ['prescribedQty'],
    ['unitPrice'],
    ['totalAmount'],
    ['unitPrice', 'totalAmount'],
    ['drugCode'],
  ] as const)(
    'with %s %s read with little confidence is GREEN where the price is the list’s and all other values would contradict',
    (...fields) => {
      expect(unsure(gaon, ...fields).status).toBe('GREEN');
    },
  );

  it.each([
    ['quantity', 'days'],
    ['prescribedQty', 'totalAmount'],
  ] as const)('with %s %s read with little confidence is YELLOW', (...fields) => {
    const item = unsure(gaon, ...fields);
    expect(item.status).toBe('YELLOW');
    expect(new Set(codesOf(item))).toEqual(new Set(['low_confidence']));
  });

  it('with a code read with little confidence is YELLOW where no price of the list confirms it', () => {
    const prescribed = { ...gaon, prescribedQty: null, unitPrice: null, totalAmount: null };
    expect(codesOf(unsure(prescribed, 'drugCode'))).toContain('low_confidence');
  });

  it('with a number read with little confidence is YELLOW without a price of the list, and where rounding hides other values', () => {
    expect(codesOf(unsure({ ...gaon, unitPrice: null, totalAmount: null }, 'prescribedQty'))).toContain(
      'low_confidence',
    );
    const cheap = drugMaster({ '640500010': [GAON, 6] });
    const line = drugLine({ ...gaon, quantity: 0.25, days: 1, prescribedQty: 0.25, unitPrice: 6, totalAmount: 2 });
    const doubted = { ...line, prescribedQty: { ...line.prescribedQty, confidence: 0.4 } };
    expect(codesOf(judgeTable(drugTable([doubted]), cheap, TODAY).items[0]!)).toContain('low_confidence');
  });

  it('whose name is the list’s own, but was not found on the page by a second reading, is not a GREEN', () => {
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
      "price_mismatch: unit price 118 is not the list's; the list says 112 on 2026-11-21 (in force since 2025-01-01)",
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

  it('of 8 digits are matched with their zero, and need review', () => {
    const zero = drugMaster({ '053100230': [GAON, 112] });
    const item = judgeTable(drugTable([{ ...gaon, drugCode: '53100230' }]), zero, TODAY).items[0]!;
    expect(item).toMatchObject({ drugCode: '53100230', codeInMaster: true, status: 'YELLOW' });
    expect(codesOf(item)).toEqual(['code_incomplete']);
  });

  it('are ambiguous if one digit away there is a drug of the same name and price', () => {
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

  it('are not ambiguous where the digit in which the other drug differs was read surely, and may be no other', () => {
    const values = { drugName: '라온시럽', quantity: 10, days: 3, prescribedQty: 30, unitPrice: 20, totalAmount: 600 };
    const line = drugLine({ ...values, drugCode: '660000010' }, 1);
    const judged = (chance: number, rivals: string, at = 7) => {
      const letters = [...'660000010'].map((_, place) => (place === at ? chance : 1));
      const others = letters.map((_, place) => (place === at ? rivals : ''));
      const read = { ...line, drugCode: { ...line.drugCode, letters, rivals: others } };
      return judgeTable(drugTable([read]), master, TODAY).items[0]!;
    };
    expect(judged(0.9995, '').status).toBe('GREEN');
    expect(judged(0.9995, '', 2).status).toBe('GREEN');
    expect(codesOf(judged(0.99, ''))).toEqual(['code_ambiguous']);
    expect(codesOf(judged(0.9995, '2'))).toEqual(['code_ambiguous']);
    expect(judged(0.99, '', 2).status).toBe('GREEN');
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

describe('names that end too early', () => {
  const long = '가온정5밀리그램(암로디핀베실산염)_(5mg/1정)';
  const statusesOf = (names: readonly string[]) =>
    judgeTable(drugTable(names.map((drugName) => ({ ...gaon, drugName }))), master, TODAY).items.map(
      ({ status }) => status,
    );

  it('among longer ones have probably lost their second line', () => {
    expect(statusesOf([long, long, '가온정5밀리그'])).toEqual(['GREEN', 'GREEN', 'YELLOW']);
    expect(statusesOf([long, long, '가온정5밀리그램'])).toEqual(['GREEN', 'GREEN', 'YELLOW']);
    expect(statusesOf([long, '가온정5밀리그램'])).toEqual(['GREEN', 'YELLOW']);
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

  it('are whole with bracketed ingredients if the list states none for them', () => {
    const combined = drugMaster({ '640500010': [GAON, 112], '642900120': ['나래정5/20밀리그램_(1정)', 402] });
    const withoutPack = { ...gaon, drugName: '가온정5밀리그램(암로디핀베실산염)' };
    const statuses = (drugName: string) =>
      judgeTable(drugTable([withoutPack, withoutPack, { ...narae, drugName }]), combined, TODAY).items.map(
        ({ status }) => status,
      );
    expect(statuses('나래정5/20밀리그램')).toEqual(['GREEN', 'GREEN', 'GREEN']);
    const withPack = drugTable([gaon, gaon, { ...narae, drugName: '나래정5/20밀리그램' }]);
    expect(judgeTable(withPack, combined, TODAY).items.map(({ status }) => status)).toEqual([
      'GREEN',
      'GREEN',
      'YELLOW',
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
