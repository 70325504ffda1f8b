import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { pageReading, readTable } from '../../../../helpers/page-reading.ts';
import { ABOVE, cellsAt, drugPrints, form, HEADER, SIDES, template } from '../../../../helpers/prescription-form.ts';
import {
  DRUGS,
  drugLinesOf,
  type FormCell,
  LINES,
  type Printed,
  printedForm,
} from '../../../../helpers/printed-form.ts';

describe('the columns of a prescription form', () => {
  it('has a share column headed with a word for codes, behind a column whose header is one unread letter', () => {
    const printed = DRUGS.map((drug, i) => [...drugPrints(drug, 452 + 30 * i), [['A', 700, 452 + 30 * i]] as const]);
    const open = SIDES.slice(1).map((_, column) => printed.flatMap((prints) => prints[column]!));
    const words: Printed[] = [
      ['처방의약품의명칭', 70, 412],
      ['및', 270, 412],
      ['코드', 330, 412],
    ];
    const doses: Printed[] = [
      ['1회투약량', 465, 412],
      ['뢨', 555, 412],
      ['총투약일수', 600, 412],
      ['코드', 690, 412],
    ];
    const wide = (row: number, top: number, bottom: number, prints: readonly Printed[]): FormCell => {
      return { box: [460, top, 980, bottom], prints, row, column: 1, columnSpan: 4 };
    };
    const cells = [
      { box: [60, 400, 460, 445], prints: words, row: 4 } as const,
      wide(4, 400, 445, doses),
      { box: [60, 445, 460, 700], prints: open[0]!, row: 5 } as const,
      wide(5, 445, 700, open.slice(1).flat()),
    ];
    expect(drugLinesOf(interpretPage(printedForm([...ABOVE, ...cells]), template))).toEqual(LINES);
  });

  it.each([
    ['총투약얼', []],
    ['줄툭얗', ['days']],
  ])('takes the third of three dose columns for the days, with any reading of its header: %s', (header, inferred) => {
    const rows = DRUGS.flatMap((drug, i) => cellsAt(5 + i, 445 + 30 * i, 475 + 30 * i, drugPrints(drug, 452 + 30 * i)));
    const printed = [...HEADER.slice(0, 3), [[header, 610, 412] as const], HEADER[4]!];
    const page = interpretPage(printedForm([...ABOVE, ...cellsAt(4, 400, 445, printed), ...rows]), template);
    expect(drugLinesOf(page)).toEqual(LINES);
    expect([...page.table!.inferredColumns].filter((field) => field === 'days')).toEqual(inferred);
  });

  it('doubts a number that the border of its column cuts, and joins it where rows are found by height', () => {
    const cutDays = [['1', 669, 452 + 90] as const, ['0', 680, 452 + 90] as const];
    const rows = DRUGS.flatMap((drug, i) => cellsAt(5 + i, 445 + 30 * i, 475 + 30 * i, drugPrints(drug, 452 + 30 * i)));
    const name: Printed = ['653100240 라온정', 70, 542];
    const [dose, times]: Printed[] = [
      ['1', 490, 542],
      ['3', 550, 542],
    ];
    const cut = cellsAt(8, 535, 565, [[name], [dose!], [times!], [cutDays[0]!], [cutDays[1]!]]);
    expect(form([...rows, ...cut]).table!.lines.at(-1)!.days.confidence).toBeLessThan(0.7);

    const columns = Array.from({ length: 5 }, (_, column) => [
      ...DRUGS.flatMap((drug, i) => drugPrints(drug, 452 + 30 * i)[column] ?? []),
      [name, dose!, times!, ...cutDays][column]!,
    ]);
    const { days } = form(cellsAt(5, 445, 800, columns)).table!.lines.at(-1)!;
    expect(days.value).toBe(10);
    expect(days.confidence).toBeLessThan(0.7);
  });

  it('has the doses that are printed off their column, behind the names, and those that its border cuts', () => {
    const doses: readonly (readonly Printed[])[] = [
      [['1', 440, 452]],
      [
        ['0.', 442, 482],
        ['5 C', 462, 482],
      ],
      [['15', 438, 512]],
    ];
    const rows = DRUGS.flatMap((drug, i) => {
      const [name, , ...others] = drugPrints(drug, 452 + 30 * i);
      const [before, inside] = [doses[i]!.slice(0, 1), doses[i]!.slice(1)];
      return cellsAt(5 + i, 445 + 30 * i, 475 + 30 * i, [[...name!, ...before], inside, ...others]);
    });
    expect(drugLinesOf(form(rows))).toEqual(LINES);
  });

  it('has a days column whose header nothing parts from that of the next', () => {
    const header = HEADER.map((own, column) => {
      return column === 3 ? ([['총투약일수 부담', 590, 412]] satisfies Printed[]) : own;
    });
    const rows = DRUGS.flatMap((drug, i) => cellsAt(5 + i, 445 + 30 * i, 475 + 30 * i, drugPrints(drug, 452 + 30 * i)));
    const page = interpretPage(printedForm([...ABOVE, ...cellsAt(4, 400, 445, header), ...rows]), template);
    expect(drugLinesOf(page)).toEqual(LINES);
    expect(page.table!.inferredColumns.has('days')).toBe(false);
  });

  it('has a drug without a code as a separate line if a cell holds it and the one above, with numbers for both', () => {
    const [[code, name, ...numbers], ...others] = DRUGS;
    const names: readonly Printed[] = [
      [`${code} ${name}`, 70, 452],
      ['라온정10밀리그램(라온', 70, 482],
    ];
    const cells = numbers.map((number, i): readonly Printed[] => {
      const [x, lower] = [SIDES[i + 1]! + 20, i === 2 ? 9 : 0];
      return [
        [number, x, 452 + lower],
        [['2', '1', '30'][i]!, x, 482 + lower],
      ];
    });
    const rows = others.flatMap((drug, i) =>
      cellsAt(6 + i, 505 + 30 * i, 535 + 30 * i, drugPrints(drug, 512 + 30 * i)),
    );
    expect(drugLinesOf(form([...cellsAt(5, 445, 505, [names, ...cells]), ...rows]))).toEqual([
      LINES[0],
      [null, '라온정10밀리그램(라온', 2, 30],
      ...LINES.slice(1),
    ]);
  });

  it('has a column whose header is read in part, though the list of another form on the page has that column, too', () => {
    const rows = DRUGS.map(([code, name, quantity, , days]) => [code, name, quantity, days]);
    const lines = ['휴돛', '일수'].map((text, n) => {
      return { text, confidence: 0.99, numeral: null, box: { x: 275, y: 10 * n, width: 20, height: 9 } };
    });
    const table = readTable([['보험코드', '약품명', '1회투약량', { text: '휴돛일수', numeral: null, lines }], ...rows]);
    const drug = ['661700430', '라온정10밀리그램', '2', '30'];
    const other = readTable([['보험코드', '약품명', '1회투약량', '총투약일수'], drug]);
    const below = {
      ...other,
      box: { ...other.box, y: 500 },
      cells: other.cells.map((cell) => ({ ...cell, box: { ...cell.box, y: cell.box.y + 500 } })),
    };
    const page = interpretPage(pageReading([table, below]), template);
    expect(drugLinesOf(page)).toEqual([...LINES, ['661700430', '라온정10밀리그램', 2, 30]]);
  });

  it('has days by their place if their header was not read, with any reading of a pen next to them', () => {
    const drugs = [...DRUGS, ['661700430', '라온정10밀리그램', '2', '1', '30']];
    const rows = drugs.map((row, i) => [...row, i === 1 ? '1' : '']);
    const header = ['보험코드', '약품명', '1회투약량', '1일투여횟수', '총트o', '요H1'];
    const page = interpretPage(pageReading([readTable([header, ...rows])]), template);
    expect(drugLinesOf(page)).toEqual([...LINES, ['661700430', '라온정10밀리그램', 2, 30]]);
  });

  it('has times a day where their header was misread as another short word, and no other says days', () => {
    const header = ['보험코드', '약품명', '1회투약량', '필수', '용노'];
    const page = interpretPage(pageReading([readTable([header, ...DRUGS])]), template);
    expect(drugLinesOf(page)).toEqual(LINES);
    expect(page.table!.inferredColumns).toEqual(new Set(['timesPerDay', 'days']));
  });

  it('prints the amount of a day before the dose, which is not a total though its header was not read', () => {
    const rows = DRUGS.map(([code, name, quantity, times, days]) => {
      return [code, name, String(Number(quantity) * Number(times)), quantity, times, days];
    });
    const header = ['보험코드', '약품명', '일여랑', '1회투약량', '1일투여횟수', '총투약일수'];
    const page = interpretPage(pageReading([readTable([header, ...rows])]), template);
    expect(drugLinesOf(page)).toEqual(LINES);
    expect(page.table!.columns.has('prescribedQty')).toBe(false);
  });

  it('has codes whose digits were read as the letters that they resemble, surely enough for no light', () => {
    const blurred = DRUGS.map(([code, ...rest]) => [code.replaceAll('0', 'U'), ...rest]);
    const rows = blurred.flatMap((drug, i) =>
      cellsAt(5 + i, 445 + 30 * i, 475 + 30 * i, drugPrints(drug, 452 + 30 * i)),
    );
    const page = form(rows);
    expect(drugLinesOf(page)).toEqual(LINES);
    for (const { drugCode } of page.table!.lines) expect(drugCode.confidence).toBeLessThan(0.7);
  });

  it('is known by its codes where no header can be read, its numbers by the order of all such forms', () => {
    const rows = DRUGS.flatMap((drug, i) => cellsAt(5 + i, 445 + 30 * i, 475 + 30 * i, drugPrints(drug, 452 + 30 * i)));
    const page = interpretPage(printedForm([...ABOVE, ...rows]), template);
    expect(drugLinesOf(page)).toEqual(LINES);
    expect([...page.table!.inferredColumns]).toEqual(expect.arrayContaining(['quantity', 'days']));
  });
});
