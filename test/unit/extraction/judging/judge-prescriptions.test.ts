import { describe, expect, it } from 'vitest';
import { judgeTable } from '../../../../functions/extraction/domain/judging/judge-table.ts';
import type { DrugMaster } from '../../../../functions/extraction/domain/master/drug-master.ts';
import { drugLine, drugMaster, drugTable, type LineValues } from '../../../helpers/drug-table.ts';
import { codesOf, GAON, master, NARAE, TODAY } from '../../../helpers/two-drugs.ts';

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

  it.each(['crossed', 'beside', 'shifted', 'joined'] as const)(
    'whose days are doubted as %s say so and are YELLOW',
    (doubt) => {
      const line = drugLine(dose);
      const item = judge([{ ...line, days: { ...line.days, doubt } }])[0]!;
      expect(item).toMatchObject({ days: 7, status: 'YELLOW' });
      expect(item.review).toEqual([expect.stringMatching(/^value_doubted: .* the days 7$/)]);
    },
  );

  it('without the times a day that the sheet has a column for may have them as their dose', () => {
    expect(codesOf(judge([{ ...dose, timesPerDay: null }])[0]!)).toEqual(['value_doubted']);
    expect(codesOf(judge([{ ...dose, timesPerDay: 0.52 }])[0]!)).toEqual(['value_doubted']);
  });

  it.each([
    ['15 tablets', { ...dose, quantity: 15 }, ['value_doubted']],
    ['three tablets', { ...dose, quantity: 3 }, []],
    ['15 mL', { ...dose, quantity: 15, drugCode: '660000010', drugName: '라온시럽(가나다)_(100mL)' }, []],
  ])('with a dose of %s', (_, values, codes) => {
    expect(codesOf(judge([values])[0]!)).toEqual(codes);
  });

  it('of 15 tablets is confirmed by a printed total', () => {
    const printed = { columns: new Set([...columns, 'prescribedQty']) as never };
    expect(codesOf(judge([{ ...dose, quantity: 15, prescribedQty: 315 }], printed)[0]!)).not.toContain('value_doubted');
  });

  it('that were mostly not read surely prove nothing in the columns that were read badly', () => {
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
  ] as const)('whose dose %d may be a third that has lost a digit next to %j are %s', (quantity, others, status) => {
    const lines = [quantity, ...others].map((each) => ({ ...dose, quantity: each }));
    const [item] = judge(lines);
    expect(item!.status).toBe(status);
    expect(codesOf(item!)).toEqual(status === 'GREEN' ? [] : ['unproven_value']);
  });

  it('are YELLOW on a sheet that prints no codes, and RED where a line alone lacks its code', () => {
    const named = { ...dose, drugCode: null };
    const without = new Set([...columns].filter((field) => field !== 'drugCode'));
    const [item] = judgeTable(drugTable([named], { columns: without }), master, TODAY).items;
    expect([item!.status, codesOf(item!)]).toEqual(['YELLOW', ['code_missing']]);
    expect(judgeTable(drugTable([named], { columns }), master, TODAY).items[0]!.status).toBe('RED');
  });

  it('may name a maker that the list has, and drop the end of how the drug is counted', () => {
    const made: DrugMaster = {
      ...master,
      suggest: (name, limit) => master.suggest(name, limit),
      find: (code) => {
        const drug = master.find(code);
        return drug && { ...drug, maker: '가온제약(주)' };
      },
    };
    const statusOf = (drugName: string) =>
      judgeTable(drugTable([{ ...dose, drugName }], { columns }), made, TODAY).items[0]!;
    expect(statusOf('(가온)가온정5밀리그램').status).toBe('GREEN');
    expect(codesOf(statusOf('(없는)가온정5밀리그램'))).toEqual(['name_uncertain']);
    expect(statusOf('가온정5밀리그램 [가온제약]').status).toBe('GREEN');
    expect(codesOf(statusOf('가온정5밀리그램 [없는제약]'))).toEqual(['name_uncertain']);
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

  it('have no letter missing where their columns cut names', () => {
    const cut = (drugName: string, right: number, isClear = true, row = 1) => {
      const line = drugLine({ ...dose, drugName }, row);
      return { ...line, nameFillsColumn: true, nameEnd: { right, letterWidth: 10, isClear } };
    };
    const first = (...lines: Parameters<typeof drugTable>[0]) => codesOf(judge(lines)[0]!);
    const others = [cut('가온정5밀리그램(암로디', 220, true, 2), cut('가온정5밀리그램(암로', 215, true, 3)];
    expect(first(cut('가온정5밀리그램(암', 200), ...others)).toEqual([]);
    expect(first(cut('가온정5밀리그램(암', 180), ...others)).toEqual(['name_uncertain']);
    expect(first(cut('가온정5밀리그램(암', 180), others[0]!)).toEqual([]);
    expect(first(cut('가온정5밀리그램(암', 200, false), ...others)).toEqual(['name_uncertain']);
    const beforePart = cut('가온정5밀리그램(암', 200);
    const withPart = { ...beforePart, drugName: { ...beforePart.drugName, unreadEnd: 0.01 } };
    expect(first(withPart, ...others)).toEqual(['name_uncertain']);
    // A unit may be written otherwise than in the list.
    expect(first(cut('가온정5mg(암', 200), ...others)).toEqual([]);
    expect(first(cut('가온정5mg(암', 200, false), ...others)).toEqual(['name_uncertain']);
    // The width of its unit's first letter is unknown.
    expect(first(cut('가온정5', 200), ...others)).toEqual(['name_uncertain']);
    // A whole name proves the room by itself.
    expect(first(cut('가온정5밀리그램(암', 180), cut(GAON, 400, true, 2))).toEqual(['name_uncertain']);
    // A sheet that cuts at a number of letters cuts at any width.
    expect(first(cut('가온정5밀리그램(암로디', 180), ...others)).toEqual([]);
    // A name without its ingredient is not a cut one.
    expect(first(cut('가온정5밀리그램', 140), ...others.slice(1))).toEqual([]);
  });

  it('do not end inside a bracket where their last line has room, unless the sheet cuts them at a number of letters', () => {
    const wrapped = (drugName: string, nameHasRoom: boolean, row = 1) => ({
      ...drugLine({ ...dose, drugName }, row),
      nameHasRoom,
    });
    const end = '가온정5밀리그램(암로디핀베실산염)_(5mg/1';
    expect(codesOf(judge([wrapped(end, false)])[0]!)).toEqual([]);
    expect(codesOf(judge([wrapped(end, true)])[0]!)).toEqual(['name_uncertain']);
    expect(codesOf(judge([wrapped('가온정5밀리그램(암로디핀베실산염)', true)])[0]!)).toEqual([]);
    const others = [wrapped(end, true, 2), wrapped(end, true, 3)];
    expect(codesOf(judge([wrapped(end, true), ...others])[0]!)).toEqual([]);
  });

  it('have every letter before the dots that mark a cut, if these are at one width', () => {
    const drugs = drugMaster({
      '660000010': ['라온주사4단위(가나다라)_(4mg/1바이알)', 20],
      '660000020': ['마루건조정20밀리그램(나다라마바염산염)', 35],
      '660000030': ['바사캡슐5밀리그램(아자차카타파하염산염)', 40],
    });
    const first = (drugName: string, ...others: string[]) => {
      const codes = ['660000020', '660000030', '660000030'];
      const lines = others.map((name, n) => ({ ...dose, drugCode: codes[n]!, drugName: name }));
      const read = [{ ...dose, drugCode: '660000010', drugName }, ...lines];
      return codesOf(judgeTable(drugTable(read, { columns }), drugs, TODAY).items[0]!);
    };
    const others = ['마루건조정20밀리그램(나다라…', '바사캡슐5밀리그램(아자차카…'];
    expect(first('라온주사4단위(가나다라)_(4m…', ...others)).toEqual([]);
    expect(first('라온주사4단위(가나다라)_(4…', ...others)).toEqual(['name_uncertain']);
    expect(first('라온주사4단위(가나다라)_(4…', others[0]!)).toEqual([]);
    // If dots are at any width, letters are not counted.
    expect(first('라온주사4단위(가나다라)_(4…', ...others, '바사캡슐5밀리그램(아자…')).toEqual([]);
  });

  it('have no narrow letter read as one of the dots that mark a cut', () => {
    const drugs = drugMaster({ '660000010': ['라온주사4단위(가나다라)_(4IU/1바이알)', 20] });
    const first = (drugName: string) =>
      codesOf(
        judgeTable(drugTable([{ ...dose, drugCode: '660000010', drugName }], { columns }), drugs, TODAY).items[0]!,
      );
    expect(first('라온주사4단위(가나다라)_(4…')).toEqual(['name_uncertain']);
    expect(first('라온주사4단위(가나다라)_(4I…')).toEqual([]);
    expect(first('라온주사4단위(가나다라)_(…')).toEqual([]);
  });

  it('that print a total check it', () => {
    const withTotal = new Set([...(columns as ReadonlySet<string>), 'prescribedQty']) as never;
    expect(judge([{ ...dose, prescribedQty: 21 }], { columns: withTotal })[0]!.status).toBe('GREEN');
    expect(judge([{ ...dose, prescribedQty: 27 }], { columns: withTotal })[0]!.status).toBe('RED');
  });

  it('name no drug for sure if one digit away there is one of the same name, at any price', () => {
    const twins = drugMaster({
      '660000010': ['라온시럽(가나다)_(100mL)', 20],
      '660000020': ['라온시럽(가나다)_(500mL)', 35],
    });
    const line = { ...dose, drugCode: '660000010', drugName: '라온시럽' };
    const [item] = judgeTable(drugTable([line], { columns }), twins, TODAY).items;
    expect(codesOf(item!)).toEqual(['code_ambiguous']);
  });
});
