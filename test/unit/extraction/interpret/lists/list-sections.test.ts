import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import type { ReadText } from '../../../../../functions/extraction/domain/reading/table-reader.ts';
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

describe('a header that a line of dashes parts from the table below it', () => {
  const rows = [
    ['640500010', '가온정5밀리그램(가나다)', '30', '1.00', '3', '7', '630'],
    ['653100230', '나래캡슐200mg(라마바)', '154', '0.50', '2', '5', '770'],
    ['651700430', '다솜정10mg(사아자)', '47', '1.00', '3', '3', '423'],
  ];
  const table = readTable(rows);
  const [first] = rows;
  const cellsOfFirst = first!.map((_, column) => table.cells.find((cell) => cell.row === 0 && cell.column === column)!);
  const headerAt = (y: number): readonly ReadText[] =>
    ['코드', '약품명', '단가', '1회량', '횟수', '일수', '금액'].map((text, column) => ({
      text,
      confidence: 1,
      box: { x: cellsOfFirst[column]!.box.x, y, width: 10 * text.length, height: 18 },
    }));
  const sum = { text: '1,823', confidence: 1, box: { ...cellsOfFirst.at(-1)!.box, y: 100 } };
  const linesUnder = (headers: readonly ReadText[]) => {
    const { table: found } = interpretPage({ ...pageReading([table]), texts: [...headers, sum] }, template);
    return found?.lines.map((line) => [
      line.drugCode.value,
      line.quantity.value,
      line.days.value,
      line.unitPrice.value,
    ]);
  };

  it('announces the columns of that table', () => {
    expect(linesUnder(headerAt(-30))).toEqual([
      ['640500010', 1, 7, 30],
      ['653100230', 0.5, 5, 154],
      ['651700430', 1, 3, 47],
    ]);
  });

  it('announces nothing of a table far below it', () => {
    expect(linesUnder(headerAt(-400))).not.toEqual(linesUnder(headerAt(-30)));
  });
});

describe('a list that continues below the title of another part', () => {
  it('has the lines of that part, though the title is centred over all columns', () => {
    const table = readTable([
      ['보험코드', '약품명', '1회투약량', '1일투여횟수', '총투약일수', '용법'],
      ['640500010', '가온정5밀리그램', '1', '3', '7', '아침 저녁 식후 30분에 복용하십시오'],
      ['', '이하여백', '', '', '', ''],
      [{ text: '주사제 처방내역 (원내조제□)', columnSpan: 6 }, null, null, null, null, null],
      ['653100230', '나래주200mg', '1', '1', '2', '근육주사'],
    ]);
    expect(drugLinesOf(interpretPage(pageReading([table]), template))).toEqual([
      ['640500010', '가온정5밀리그램', 1, 7],
      ['653100230', '나래주200mg', 1, 2],
    ]);
  });
});

describe('a list without rules', () => {
  const row = (y: number, ...cells: readonly (readonly [text: string, x: number])[]): readonly ReadText[] =>
    cells.map(([text, x]) => ({ text, confidence: 0.99, box: { x, y, width: 9 * text.length, height: 18 } }));
  const texts = [
    ...row(0, ['약품코드', 0], ['약품명', 140], ['수량', 320], ['단가', 420], ['금액', 520]),
    ...row(40, ['640500010', 0], ['가온정5밀리그램', 140], ['30', 320], ['21', 420], ['630', 520]),
    ...row(70, ['653100230', 0], ['나래캡슐200mg', 140], ['10', 320], ['77', 420], ['770', 520]),
    ...row(100, ['합계', 140], ['1,400', 520]),
  ];

  it('has the total that its last row prints, and no line for it', () => {
    const { table } = interpretPage({ ...pageReading([]), texts }, template);
    expect(table!.lines.map(({ drugCode }) => drugCode.value)).toEqual(['640500010', '653100230']);
    expect(table!.printedTotals.totalAmount).toBe(1400);
  });
});

describe('a list whose columns no rule shows', () => {
  const HEADER: readonly Printed[] = [
    ['제약사', 60, 40],
    ['약품코드', 200, 40],
    ['약품명', 400, 40],
    ['1회량', 640, 40],
    ['횟수', 740, 40],
    ['일수', 820, 40],
  ];
  const linesOf = (header: readonly Printed[], rows: readonly (readonly Printed[])[]) =>
    drugLinesOf(interpretPage(printedForm([], [['처방전', 440, 10], ...header, ...rows.flat()]), template));
  const rowAt = (drug: (typeof DRUGS)[number], y: number, name: readonly Printed[]): readonly Printed[] => [
    ['가나제약(주)', 20, y],
    [drug[0], 190, y],
    ...name,
    [drug[2], 680, y],
    [drug[3], 750, y],
    [drug[4], 830, y],
  ];

  it('has no company in its names, and all of a name that reaches far behind its header', () => {
    const [drug, other] = DRUGS;
    const long = '가온정5밀리그램(가나다라마바사아자차카타)';
    const rows = [
      rowAt(drug, 80, [[long, 310, 80]]),
      rowAt(other, 110, [
        ['나래캡슐', 310, 110],
        ['200mg(내복)', 420, 110],
      ]),
    ];
    expect(linesOf(HEADER, rows)?.map(([, name]) => name)).toEqual([long, '나래캡슐 200mg(내복)']);
  });

  it('has a name of two lines with its code printed between them, also with many digits in the second', () => {
    const rows = DRUGS.map((drug, index) => {
      const y = 100 + index * 60;
      return rowAt(drug, y, [
        [`${drug[1]}가나다라마`, 310, y - 9],
        [`_(0.${index + 1}g/1정)`, 310, y + 11],
      ]);
    });
    expect(linesOf(HEADER, rows)?.map(([code, name]) => [code, name])).toEqual(
      DRUGS.map(([code, name], index) => [code, `${name}가나다라마_(0.${index + 1}g/1정)`]),
    );
  });

  it('has all lines of a name that is printed around its code, also brackets and strengths alone', () => {
    const rests = ['(내복)', '4:1)_(20mg/10mg/5mg/1정)', '1그램'];
    const rows = DRUGS.map((drug, index) => {
      const y = 100 + index * 60;
      return rowAt(drug, y, [
        [`${drug[1]}가`, 310, y - 12],
        [rests[index]!, 310, y + 12],
      ]);
    });
    expect(linesOf(HEADER, rows)?.map(([code, name]) => [code, name])).toEqual(
      DRUGS.map(([code, name], index) => [code, `${name}가${rests[index]}`]),
    );
  });

  it('has a letter above a name that is not a line of it', () => {
    const [drug, ...others] = DRUGS;
    const stray: Printed = ['C', 420, 70];
    const rows = [
      [...rowAt(drug, 80, [[drug[1], 310, 80]]), stray],
      ...others.map((other, n) => rowAt(other, 110 + n * 30, [[other[1], 310, 110 + n * 30]])),
    ];
    expect(linesOf(HEADER, rows)).toEqual(LINES);
  });

  it('has no units in its names where their header is narrower than they are', () => {
    const header = HEADER.map(([text, x, y]): Printed => (text === '약품명' ? ['약품명', 380, y] : [text, x, y]));
    const withUnit: readonly Printed[] = [...header.slice(0, 3), ['단위', 600, 40], ...header.slice(3)];
    const rows = DRUGS.map((drug, index) => {
      const y = 80 + index * 30;
      return rowAt(drug, y, [
        [drug[1], 310, y],
        ['1', 580, y],
        ['캡슐', 605, y],
      ]);
    });
    expect(linesOf(withUnit, rows)).toEqual(LINES);
  });

  it('is announced by words whose letters are set far apart', () => {
    const spaced = HEADER.flatMap(([text, x, y]): readonly Printed[] =>
      text === '약품명' ? [...text].map((letter, index): Printed => [letter, x + index * 34, y]) : [[text, x, y]],
    );
    const rows = DRUGS.map((drug, index) => rowAt(drug, 80 + index * 30, [[drug[1], 310, 80 + index * 30]]));
    expect(linesOf(spaced, rows)).toEqual(LINES);
  });
});

describe('a number next to a piece of a rule that was read as a digit', () => {
  const texts = (rest: Pick<ReadText, 'text' | 'confidence'> & { readonly height: number }): readonly ReadText[] => {
    const at = (text: string, x: number, y: number): ReadText => {
      return { text, confidence: 0.99, box: { x, y, width: 9 * text.length, height: 18 } };
    };
    const header = ['약품코드', '약품명', '1회투약량', '1일투여횟수', '총투약일수'];
    const line = ['640500010', '가온정5밀리그램', '1.00', '3', '2'];
    const places = [0, 140, 320, 420, 520];
    const { height, ...read } = rest;
    return [
      ...header.map((text, n) => at(text, places[n]!, 0)),
      ...line.map((text, n) => at(text, places[n]!, 40)),
      { ...read, box: { x: 560, y: 40, width: 7, height } },
    ];
  };
  const daysOf = (found: readonly ReadText[]) =>
    interpretPage({ ...pageReading([]), texts: found }, template).table!.lines[0]!.days;

  it('is doubted', () => {
    expect(daysOf(texts({ text: '1', confidence: 0.75, height: 8 })).confidence).toBeLessThan(0.6);
  });

  it('is one number with digits of the same height', () => {
    expect(daysOf(texts({ text: '1', confidence: 0.75, height: 18 })).value).toBe(21);
  });
});

describe('a line that was read at once and piece by piece', () => {
  const box = (x: number, width: number) => ({ x, y: 40, width, height: 18 });
  const codeOf = (whole: string, pieces: readonly string[]) => {
    const header = ['약품명', '1회투약량', '1일투여횟수', '총투약일수'];
    const table = readTable([header, [whole, '1', '3', '7']]);
    const cells = table.cells.map((cell) => {
      if (cell.row === 0 || cell.column > 0) return cell;
      const parts = pieces.map((text, n) => ({
        text,
        confidence: 0.9,
        numeral: null,
        box: box(cell.box.x + 90 * n, 80),
      }));
      const line = { text: whole, confidence: 0.9, numeral: null, box: box(cell.box.x, 200), pieces: parts };
      return { ...cell, lines: [line] };
    });
    const found = interpretPage(pageReading([{ ...table, cells }]), template).table?.lines ?? [];
    return found.map(({ drugCode }) => drugCode.value);
  };

  it('shows the code that only its pieces do', () => {
    expect(codeOf('6405(0010가온정5밀리그램', ['640500010', '가온정5밀리그램'])).toEqual(['640500010']);
  });
});

it('a header whose letters are set very wide announces a column, and so does a word right before the next', () => {
  const page = printedForm(
    [],
    [
      ['품', 60, 10],
      ['목', 130, 10],
      ['1회투약량', 300, 10],
      ['1일 횟수일수', 420, 10],
      ...DRUGS.flatMap(([, name, quantity, times, days], index): readonly Printed[] => {
        const y = 50 + 30 * index;
        return [
          [name, 20, y],
          [quantity, 320, y],
          [times, 440, y],
          [days, 475, y],
        ];
      }),
    ],
  );
  expect(drugLinesOf(interpretPage(page, template))).toEqual(LINES.map(([, ...values]) => [null, ...values]));
});

describe('a list without rules whose names are printed in two lines around their codes', () => {
  const HEADER: readonly Printed[] = [
    ['코드', 20, 20],
    ['약품명', 200, 20],
    ['수량', 520, 20],
    ['단가', 640, 20],
  ];
  const pageOf = (...names: readonly (readonly [first: string, second: string])[]) =>
    printedForm(
      [],
      [
        ...HEADER,
        ...names.flatMap(([first, second], index): readonly Printed[] => {
          const y = 70 + 70 * index;
          const [code, , quantity] = DRUGS[index]!;
          return [
            [first, 180, y],
            [code, 10, y + 14, 12],
            [quantity, 530, y + 14, 12],
            ['120', 640, y + 14, 12],
            [second, 180, y + 24],
          ];
        }),
      ],
    );
  const namesOf = (page: ReturnType<typeof pageOf>) =>
    interpretPage(page, template).table?.lines.map(({ drugName }) => drugName.value);

  it('has both lines', () => {
    const page = pageOf(['가온정25밀리그램(가나다라', '마바사)'], ['나래정500밀리그램(아자차', '카타파염)']);
    expect(namesOf(page)).toEqual(['가온정25밀리그램(가나다라마바사)', '나래정500밀리그램(아자차카타파염)']);
  });

  it('has no company in them', () => {
    const page = pageOf(['가온정', '(주)한빛제약'], ['나래정10mg', '새별제약(주)']);
    expect(namesOf(page)).toEqual(['가온정', '나래정10mg']);
  });
});

it('names right behind codes are read to their second line, though no word heads them', () => {
  const sides = [0, 120, 320, 420, 520];
  const cells = [
    ['코드', '', '수량', '단가'],
    ['640500010', '가온정5밀리그램(가나다라마', '30', '21'],
    ['653100230', '나래캡슐200mg(바사아자차카', '10', '77'],
  ].flatMap((row, at) =>
    row.map((text, column): FormCell => {
      const [left, top] = [sides[column]!, 60 * at];
      const second: readonly Printed[] = column === 1 && at > 0 ? [['타파하)', left + 5, top + 36]] : [];
      const box = [left, top, sides[column + 1]!, top + 60] as const;
      return { box, prints: [[text, left + 5, top + (second.length > 0 ? 10 : 24)], ...second], row: at, column };
    }),
  );
  const { table } = interpretPage(printedForm(cells), template);
  expect(table!.lines.map(({ drugName }) => drugName.value)).toEqual([
    '가온정5밀리그램(가나다라마타파하)',
    '나래캡슐200mg(바사아자차카타파하)',
  ]);
});

it('a note below a list of codes and names, each in a line, parts no columns', () => {
  const rows = DRUGS.flatMap(([code, name, quantity, times, days], index): readonly Printed[] => {
    const y = 60 + 50 * index;
    return [
      [`${index + 1}`, 10, y + 12],
      [code, 40, y],
      [name, 40, y + 24],
      [quantity, 700, y + 12],
      [times, 800, y + 12],
      [days, 900, y + 12],
    ];
  });
  const header: readonly Printed[] = ['1회 용량', '1일 횟수', '처방일수'].map((text, n) => [text, 680 + 100 * n, 10]);
  const note: readonly Printed[] = [
    ['* 다음 예약: 2026-06-03', 5, 220],
    ['(수) 10:20', 250, 220],
    ['* 처방전은 발행일로부터 유효합니다.', 380, 220],
  ];
  const page = printedForm([], [['#', 10, 10], ['의약품명', 300, 10], ...header, ...rows, ...note]);
  expect(drugLinesOf(interpretPage(page, template))).toEqual(LINES);
});
