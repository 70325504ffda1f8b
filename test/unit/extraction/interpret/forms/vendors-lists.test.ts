import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { pageReading, readTable } from '../../../../helpers/page-reading.ts';
import {
  DRUGS,
  drugLinesOf,
  type FormCell,
  LINES,
  type Printed,
  printedForm,
} from '../../../../helpers/printed-form.ts';

const template = findTemplate('default')!;
const linesOf = (prints: readonly Printed[]) => drugLinesOf(interpretPage(printedForm([], prints), template));
const WITHOUT_CODES = LINES.map(([, ...values]) => [null, ...values]);

describe('a list without rules and codes', () => {
  const HEADER: readonly Printed[] = [
    ['약품명', 60, 40],
    ['1회량', 440, 40],
    ['횟수', 540, 40],
    ['일수', 620, 40],
    ['용법', 700, 40],
  ];
  const listed = (numbersAt: number, remark: boolean) =>
    DRUGS.flatMap(([, name, quantity, times, days], index): readonly Printed[] => {
      const y = 80 + index * 60;
      return [
        [name, 60, y],
        ...(remark ? [['흰색 원형 정제', 60, y + 26] as const] : []),
        [quantity, 445, y + numbersAt],
        [times, 550, y + numbersAt],
        [days, 630, y + numbersAt],
      ];
    });

  it('has its numbers in the middle between a name and a remark below it', () => {
    expect(linesOf([...HEADER, ...listed(13, true)])).toEqual(WITHOUT_CODES);
  });

  it('has its numbers in the line below each name', () => {
    expect(linesOf([...HEADER, ...listed(26, false)])).toEqual(WITHOUT_CODES);
  });

  it('has no marks in its names that precede every one', () => {
    const marks = DRUGS.map((_, index): Printed => ['Rp', 20, 80 + index * 60]);
    const note: readonly Printed[] = [
      ['3건', 10, 270],
      ['반복처방', 60, 270],
    ];
    expect(linesOf([...HEADER, ...listed(0, false), ...marks, ...note])).toEqual(WITHOUT_CODES);
  });

  it('has its numbers in the middle between the two lines of a name', () => {
    const rows = DRUGS.flatMap(([, , quantity, times, days], index): readonly Printed[] => {
      const y = 80 + index * 60;
      return [
        ['가온정5밀리그램(가나다라마바사', 60, y],
        ['아자차)', 60, y + 20],
        [quantity, 445, y + 12],
        [times, 550, y + 12],
        [days, 630, y + 12],
      ];
    });
    const name = '가온정5밀리그램(가나다라마바사아자차)';
    expect(linesOf([...HEADER, ...rows])?.map(([, read]) => read)).toEqual(DRUGS.map(() => name));
  });

  it('has its codes below the names where a stroke parts their words', () => {
    const header: readonly Printed[] = [
      ['품명', 60, 40],
      ['1', 90, 40],
      ['코드(제조사)', 110, 40],
      ['수량', 440, 40],
      ['단가', 540, 40],
      ['금액', 640, 40],
    ];
    const rows = DRUGS.flatMap(([code, name], index): readonly Printed[] => {
      const y = 80 + index * 60;
      return [
        [name, 65, y],
        [`${code} (가나)`, 80, y + 22],
        ['10', 445, y],
        ['21', 545, y],
        ['210', 640, y],
      ];
    });
    expect(linesOf([...header, ...rows])?.map(([code, name]) => [code, name])).toEqual(
      DRUGS.map(([code, name]) => [code, name]),
    );
  });

  it('has one number a drug where its header announces one', () => {
    const rows = ['가온주5mg', '나래주200mg', '다솜정10mg', '라온캡슐'].flatMap((name, index): readonly Printed[] => [
      [`INJ-0${index}12`, 20, 80 + index * 30],
      [name, 160, 80 + index * 30],
      [`${index + 2}0`, 445, 80 + index * 30],
    ]);
    const header: readonly Printed[] = [
      ['원내코드', 20, 40],
      ['품명', 160, 40],
      ['청구량', 440, 40],
    ];
    expect(
      linesOf([['비품약 청구서', 200, 10], ...header, ...rows])?.map(([code, , quantity]) => [code, quantity]),
    ).toEqual([
      ['INJ-0012', 20],
      ['INJ-0112', 30],
      ['INJ-0212', 40],
      ['INJ-0312', 50],
    ]);
  });
});

describe('a receipt in two lines', () => {
  it('may count the drugs between the two', () => {
    const header: readonly Printed[] = [
      ['의약품코드·의약품명', 80, 30],
      ['No', 30, 46],
      ['1회량', 80, 62],
      ['횟수', 190, 62],
      ['일수', 260, 62],
    ];
    const rows = DRUGS.flatMap(([code, name, quantity, times, days], index): readonly Printed[] => {
      const y = 100 + index * 60;
      return [
        [code, 80, y],
        [name, 190, y],
        [`${index + 1}`, 30, y + 16],
        [quantity, 85, y + 32],
        [times, 195, y + 32],
        [days, 265, y + 32],
      ];
    });
    expect(linesOf([...header, ...rows])).toEqual(LINES);
  });
});

describe('a record of given drugs', () => {
  it('has days over its last columns, and no prices below them', () => {
    const table = readTable([
      ['약품명 (보험코드)', '1회용량', '1일횟수', { text: '투약일자', columnSpan: 3 }, null, null],
      ['', '', '', '11일', '12일', '13일'],
      ['가온정5mg 640500010', '1', '2', '08', '08', '08'],
      ['나래정10mg 653100230', '0.5', '1', '20', '20', '20'],
      ['다솜정20mg 651700430', '1', '1', '08', '08', '08'],
    ]);
    const { columns } = interpretPage(pageReading([table]), template).table!;
    expect([columns.has('quantity'), columns.has('unitPrice'), columns.has('totalAmount')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe("a supplier's list in two lines", () => {
  it('prints the size of a package over the code, and balances below the list', () => {
    const cell = (row: number, column: number, columnSpan: number, ...lines: readonly string[]): FormCell => ({
      box: [column * 180, row * 60, (column + columnSpan) * 180, row * 60 + 60],
      prints: lines.map((line, index): Printed => [line, column * 180 + 10, row * 60 + 8 + index * 26]),
      row,
      column,
      columnSpan,
    });
    const rows = [
      [['품목'], ['보험코드'], ['수량'], ['단가'], ['금액']],
      [['가온정(가나다라마바)'], ['1정', '640500010'], ['10'], ['21'], ['210']],
      [['나래크림(사아자)'], ['15g', '653100230'], ['5'], ['88'], ['440']],
    ];
    const cells = rows.flatMap((row, at) => row.map((lines, column) => cell(at, column, 1, ...lines)));
    const balances: FormCell = {
      ...cell(3, 0, 5),
      prints: [
        ['전미수금 804,182', 10, 200],
        ['13,284,482', 200, 200],
        ['(인)', 800, 200],
      ],
    };
    const page = interpretPage(printedForm([...cells, balances]), template);
    expect(drugLinesOf(page)?.map(([code, name]) => [code, name])).toEqual([
      ['640500010', '가온정(가나다라마바)'],
      ['653100230', '나래크림(사아자)'],
    ]);
  });
});

describe("a hospital's own codes", () => {
  const listed = (code: string, name: string) => [
    ['코드', '약품명', '1회량', '횟수', '일수'],
    ['T24102', '가온정0.2mg', '1', '1', '14'],
    [code, name, '1', '1', '14'],
  ];
  it.each([
    ['are those of drugs where names are', 'T92069', '나래정10mg', 2],
    ['are those of fees where an injection is given', 'KK010', '피하 또는 근육내주사', 1],
    ['are those of fees next to codes of drugs', '640500010', '나래정10mg', 1],
  ])('%s', (_, code, name, count) => {
    const { table } = interpretPage(pageReading([readTable(listed(code, name))]), template);
    expect(table!.lines).toHaveLength(count);
  });
});
