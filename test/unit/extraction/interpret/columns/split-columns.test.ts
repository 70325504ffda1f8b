import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { type CellSpec, linedCell, pageReading, readTable } from '../../../../helpers/page-reading.ts';
import { drugLinesOf, type FormCell, type Printed, printedForm } from '../../../../helpers/printed-form.ts';

const template = findTemplate('default')!;

function linesOf(...rows: (readonly CellSpec[])[]) {
  const { table } = interpretPage(pageReading([readTable(rows)]), template);
  return table?.lines.map((line) => [
    line.drugCode.value,
    line.drugName.value,
    line.quantity.value,
    line.timesPerDay.value,
    line.days.value,
  ]);
}

describe('a column of doses', () => {
  it('holds the dose, times a day and days, with any mark between them', () => {
    expect(
      linesOf(
        ['처방의약품의 명칭', '1회량 / 횟수 / 일수', '용법'],
        ['640500010 가온정5밀리그램', '1.00 / 3 / 7', '식후 30분'],
        ['653100230 나래캡슐200mg', '0.5정x2회x5일', '식후 30분'],
        ['651700430 다솜시럽', '15mL × 3 × 3', '식전'],
      ),
    ).toEqual([
      ['640500010', '가온정5밀리그램', 1, 3, 7],
      ['653100230', '나래캡슐200mg', 0.5, 2, 5],
      ['651700430', '다솜시럽', 15, 3, 3],
    ]);
  });

  it('is found by its numbers below a header of directions, where code and maker are in small print below each name', () => {
    const print = (name: string, code: string) => linedCell([name, code], [9, 6]);
    expect(
      linesOf(
        ['약품', '용법', '총량'],
        [print('가온정5밀리그램', '640500010·(주)가온제약'), '1 × 1회 × 7일', '7'],
        [print('나래캡슐200mg', '653100230·나래약품'), '0.5 × 2회 × 60일', '60'],
      ),
    ).toEqual([
      ['640500010', '가온정5밀리그램', 1, 1, 7],
      ['653100230', '나래캡슐200mg', 0.5, 2, 60],
    ]);
  });

  it('is not combined if its header names no dose, or few cells hold three numbers', () => {
    expect(
      linesOf(
        ['약품코드', '약품명', '1회량', '횟수', '일수', '단가/금액/비고'],
        ['640500010', '가온정5밀리그램', '1', '3', '7', '1/2/3'],
        ['653100230', '나래캡슐200mg', '0.5', '2', '5', '4/5/6'],
      ),
    ).toEqual([
      ['640500010', '가온정5밀리그램', 1, 3, 7],
      ['653100230', '나래캡슐200mg', 0.5, 2, 5],
    ]);
  });
});

describe('a dose above the times a day that it is taken', () => {
  const NOTICE = [
    ['640500010', '가온정5밀리그램', linedCell(['1.00', '× 3']), '7'],
    ['653100230', '나래캡슐200mg', linedCell(['0.50', 'x2']), '5'],
  ];
  const READ = [
    ['640500010', '가온정5밀리그램', 1, 3, 7],
    ['653100230', '나래캡슐200mg', 0.5, 2, 5],
  ];

  it.each([
    [
      'in two rows',
      [
        ['약품코드', '약품명', '1회투약량', '총투약일수'],
        ['', '', '×1일횟수', ''],
      ],
    ],
    ['in one', [['약품코드', '약품명', linedCell(['1회투약량', '×1일횟수']), '총투약일수']]],
  ])('is two columns below headers %s', (_, header) => {
    expect(linesOf(...header, ...NOTICE)).toEqual(READ);
  });

  it('is not made of a number over another without a cross', () => {
    const rows = NOTICE.map((row, n) => [row[0]!, row[1]!, linedCell(['1.00', '3']), `${n + 5}`]);
    expect(linesOf(['약품코드', '약품명', '1회투약량', '총투약일수'], ...rows)).not.toEqual(READ);
  });
});

describe('a column of doses on a form', () => {
  const NAMES = ['640500010 가온정5밀리그램', '653100230 나래캡슐200mg', '651700430 다솜시럽'] as const;
  const DOSES = [
    ['640500010', '가온정5밀리그램', 1, 3, 7],
    ['653100230', '나래캡슐200mg', 0.5, 2, 5],
    ['651700430', '다솜시럽', 15, 3, 3],
  ];
  /** A header over two columns of the grid, and their texts in each row. */
  const underOneHeader = (...rows: (readonly [CellSpec, CellSpec])[]) =>
    linesOf(
      ['처방의약품의 명칭', { text: '1회량/횟수/일수', columnSpan: 2 }, null, '용법'],
      ...rows.map(([left, right], row): CellSpec[] => [NAMES[row]!, left, right, '식후 30분']),
    );

  it('may have a header, and cells, that reach over several columns of the grid', () => {
    const over = (text: string): readonly [CellSpec, CellSpec] => [{ text, columnSpan: 2 }, null];
    expect(underOneHeader(over('1/3/7'), over('0.5/2/5'), over('15/3/3'))).toEqual(DOSES);
  });

  it('may be split by a false rule: its numbers are doubted', () => {
    const page = pageReading([
      readTable([
        ['처방의약품의 명칭', { text: '1회량/횟수/일수', columnSpan: 2 }, null],
        [NAMES[0], '1', '/3/7'],
        [NAMES[1], '0.5', '/2/5'],
      ]),
    ]);
    const { lines } = interpretPage(page, template).table!;
    expect(lines.map(({ quantity, days }) => [quantity.value, days.value])).toEqual([
      [1, 7],
      [0.5, 5],
    ]);
    expect(Math.max(...lines.flatMap(({ quantity, days }) => [quantity.confidence, days.confidence]))).toBeLessThan(
      0.6,
    );
  });

  it('may have a header in two rows and two languages', () => {
    expect(
      linesOf(
        [{ text: '처방의약품의 명칭', rowSpan: 2 }, '1회투약량/1일투여횟수/'],
        [null, '총투약일수Dose/Times/Days'],
        [NAMES[0], '1/3/7'],
        [NAMES[1], '0.5/2/5'],
        [NAMES[2], '15/3/3'],
      ),
    ).toEqual(DOSES);
  });

  it('is recognised by its values where its header could not be read, and doubted', () => {
    const rows = [
      ['처방의약품의 경칭', '1외6 횟누 2'],
      [NAMES[0], '1/3/7'],
      [NAMES[1], '0.5/2/5'],
      [NAMES[2], '15/3/3'],
    ];
    expect(linesOf(...rows)).toEqual(DOSES);
    // The title of the form's next part may reach into the column.
    expect(linesOf(...rows, ['주사제 처', '방 □)'])).toEqual(DOSES);
    const { lines } = interpretPage(pageReading([readTable(rows)]), template).table!;
    expect(Math.max(...lines.map(({ quantity }) => quantity.confidence))).toBeLessThanOrEqual(0.5);
  });

  it.each([
    ['dates', ['26/10/7', '26/11/5', '26/12/3']],
    ['doses of some drugs only', ['1/3/7', '0.5/2/5', '식후']],
  ])('without a header is not combined if it holds %s', (_, texts) => {
    const rows = NAMES.map((name, row) => [name, texts[row]!, '1', '3', '7']);
    const header = ['처방의약품의 명칭', '기타', '1회량', '횟수', '일수'];
    expect(linesOf(header, ...rows)?.map(([, , ...numbers]) => numbers)).toEqual(NAMES.map(() => [1, 3, 7]));
  });

  it('gives a line without numbers where the marks between them were not read', () => {
    expect(
      linesOf(
        ['처방의약품의 명칭', '1회량/횟수/일수'],
        [NAMES[0], '1/3/7'],
        [NAMES[1], { text: '0.5/.275', numeral: '0.5275' }],
        [NAMES[2], { text: '1513/3', numeral: '15133' }],
      ),
    ).toEqual([
      DOSES[0],
      ['653100230', '나래캡슐200mg', null, null, null],
      ['651700430', '다솜시럽', null, null, null],
    ]);
  });

  it.each([
    ['in cells that hold the whole list', ['1/3/7', '0.5/2/5', '15/3/3'], [7, 5, 3]],
    ['where the marks of one were not read', ['1/3/7', '0.5/.275', '15/3/3'], [7, null, 3]],
  ])('is read line by line %s', (_, doses, days) => {
    const rows = (texts: readonly string[], x: number) => texts.map((text, n): Printed => [text, x, 60 + n * 30]);
    const cell = (row: number, column: number, prints: readonly Printed[]): FormCell => {
      const [left, right] = [column === 0 ? 0 : 420, column === 0 ? 420 : 640];
      return { row, column, box: row === 0 ? [left, 0, right, 40] : [left, 40, right, 300], prints };
    };
    const page = printedForm([
      cell(0, 0, [['처방의약품의 명칭', 100, 12]]),
      cell(0, 1, [['1회량 / 횟수 / 일수', 440, 12]]),
      cell(1, 0, rows(NAMES, 20)),
      cell(1, 1, rows(doses, 480)),
    ]);
    expect(drugLinesOf(interpretPage(page, template))).toEqual(
      DOSES.map(([code, name, quantity], n) => [code, name, days[n] === null ? null : quantity, days[n]]),
    );
  });
});

describe('the phrase that ends a list', () => {
  it('is not part of a name, though a border cuts it and both parts are in separate columns', () => {
    const cells = (top: number, bottom: number, row: number, ...columns: (readonly Printed[])[]) =>
      columns.map((prints, column): FormCell => {
        const sides = [0, 130, 420, 520, 620, 720];
        return { row, column, box: [sides[column]!, top, sides[column + 1]!, bottom], prints };
      });
    const stack = (x: number, ...texts: readonly string[]) => texts.map((text, n): Printed => [text, x, 60 + n * 24]);
    const page = printedForm([
      ...cells(
        0,
        40,
        0,
        [['구분', 40, 12]],
        [['처방의약품의 명칭', 190, 12]],
        [['1회량', 440, 12]],
        [['횟수', 540, 12]],
        [['일수', 640, 12]],
      ),
      ...cells(
        40,
        300,
        1,
        [...stack(20, '640500010', '653100230', '651700430'), ['이하여', 95, 132]],
        [
          ...stack(140, '가온정5밀리그램', '나래캡슐200mg', '다솜시럽정밀하고긴이름의약품레보세티리진'),
          ['백', 135, 132],
        ],
        stack(460, '1', '0.5', '15'),
        stack(560, '3', '2', '3'),
        stack(660, '7', '5', '3'),
      ),
    ]);
    expect(drugLinesOf(interpretPage(page, template))).toEqual([
      ['640500010', '가온정5밀리그램', 1, 7],
      ['653100230', '나래캡슐200mg', 0.5, 5],
      ['651700430', '다솜시럽정밀하고긴이름의약품레보세티리진', 15, 3],
    ]);
  });
});

describe('a list in two halves', () => {
  const HALF = ['No', '약품코드', '약품명', '1회투약량', '1일투여횟수', '총투약일수'];

  it('is read down the left one, then down the right one', () => {
    expect(
      linesOf(
        [...HALF, ...HALF],
        ['1', '640500010', '가온정', '1', '3', '7', '3', '651700430', '다솜시럽', '15', '3', '3'],
        ['2', '653100230', '나래캡슐', '0.5', '2', '5', '4', '642900040', '라온연고', '2', '1', '9'],
      ),
    ).toEqual([
      ['640500010', '가온정', 1, 3, 7],
      ['653100230', '나래캡슐', 0.5, 2, 5],
      ['651700430', '다솜시럽', 15, 3, 3],
      ['642900040', '라온연고', 2, 1, 9],
    ]);
  });

  it('is read so if no rows separate it, and a code precedes its name', () => {
    const half = (x: number, rows: readonly (readonly string[])[]): readonly Printed[] => [
      ['처방의약품의 명칭', x + 60, 400],
      ['1회투약량', x + 230, 400],
      ['1일투여횟수', x + 300, 400],
      ['총투약일수', x + 380, 400],
      ...rows.flatMap(([name, ...numbers], row): readonly Printed[] => [
        [name!, x, 440 + row * 30],
        ...numbers.map((text, n): Printed => [text, x + [250, 330, 400][n]!, 440 + row * 30]),
      ]),
    ];
    const page = printedForm(
      [],
      [
        ['처방전', 440, 70],
        ...half(20, [
          ['640500010 가온정', '1', '3', '7'],
          ['653100230 나래캡슐', '0.5', '2', '5'],
          ['651700430 다솜시럽', '15', '3', '3'],
        ]),
        ...half(500, [['642900040 라온연고', '2', '1', '9']]),
      ],
    );
    expect(drugLinesOf(interpretPage(page, template))).toEqual([
      ['640500010', '가온정', 1, 7],
      ['653100230', '나래캡슐', 0.5, 5],
      ['651700430', '다솜시럽', 15, 3],
      ['642900040', '라온연고', 2, 9],
    ]);
  });

  it('is one list where the words behind the numbers are others', () => {
    expect(
      linesOf(
        ['약품명', '1회투약량', '1일투여횟수', '총투약일수', '코드'],
        ['가온정5밀리그램', '1', '3', '7', '640500010'],
        ['나래캡슐200mg', '0.5', '2', '5', '653100230'],
      ),
    ).toEqual([
      ['640500010', '가온정5밀리그램', 1, 3, 7],
      ['653100230', '나래캡슐200mg', 0.5, 2, 5],
    ]);
  });
});
