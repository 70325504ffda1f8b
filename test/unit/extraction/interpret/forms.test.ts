import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { isPartTitle } from '../../../../functions/extraction/domain/interpret/lists/list-marks.ts';
import type { ReadLine } from '../../../../functions/extraction/domain/reading/table-reader.ts';
import { findTemplate } from '../../../../functions/extraction/domain/templates.ts';
import { type CellSpec, pageReading, readTable } from '../../../helpers/page-reading.ts';
import { DRUGS, drugLinesOf, type FormCell, LINES, type Printed, printedForm } from '../../../helpers/printed-form.ts';

const template = findTemplate('default')!;

/** Sides of the form's columns: name, a dose, times a day, days, directions. */
const SIDES = [60, 460, 530, 600, 680, 980] as const;
const HEADER: readonly (readonly Printed[])[] = [
  [['처방의약품의 명칭(및 코드)', 100, 412]],
  [
    ['1 회', 470, 404],
    ['투약량', 470, 422],
  ],
  [
    ['1일', 540, 404],
    ['투여횟수', 540, 422],
  ],
  [
    ['총', 610, 404],
    ['투약일수', 610, 422],
  ],
  [['용법', 780, 412]],
];
const ABOVE: readonly FormCell[] = [
  { box: [60, 40, 980, 120], prints: [['처방전', 440, 70]], row: 0, columnSpan: 5 },
  { box: [60, 120, 460, 150], prints: [['교부번호 2026년 01월 05일 제 00085호', 70, 126]], row: 1 },
  { box: [60, 150, 460, 190], prints: [['질병분류기호', 70, 160]], row: 2 },
  { box: [60, 190, 980, 400], prints: [['환자의 요구가 있을 때에는 적지 않습니다', 70, 380]], row: 3, columnSpan: 5 },
];

function cellsAt(row: number, top: number, bottom: number, prints: readonly (readonly Printed[])[]): FormCell[] {
  return prints.map((own, column) => {
    return { box: [SIDES[column]!, top, SIDES[column + 1]!, bottom], prints: own, row, column };
  });
}

function form(body: readonly FormCell[]) {
  return interpretPage(printedForm([...ABOVE, ...cellsAt(4, 400, 445, HEADER), ...body]), template);
}

function drugPrints([code, name, ...numbers]: readonly string[], y: number): readonly (readonly Printed[])[] {
  return [[[`${code} ${name}`, 70, y]], ...numbers.map((number, i): Printed[] => [[number, SIDES[i + 1]! + 20, y]])];
}

const REMARKS: FormCell = {
  box: [680, 445, 980, 800],
  prints: DRUGS.map(([code], i): Printed => [`${code}, 사유코드: A`, 700, 600 + 20 * i]),
  row: 5,
  column: 4,
};

describe('a prescription form', () => {
  it('doubts a name of which a part is covered: read by itself it is nothing, but the whole line shows that there is more', () => {
    const COVERED = 274;
    const names: readonly Printed[] = [
      ['653100230 나래캡슐200mg(', 70, 460],
      ['가나다라', COVERED, 460],
      ['640500010 가온정5밀리그램/1정', 70, 480],
    ];
    const cells: readonly (readonly Printed[])[] = [
      names,
      ...['1', '3', '7'].map((number, i): Printed[] => [460, 480].map((y): Printed => [number, SIDES[i + 1]! + 20, y])),
    ];
    const page = printedForm([...ABOVE, ...cellsAt(4, 400, 445, HEADER), ...cellsAt(5, 445, 800, cells)]);
    const covered = (line: ReadLine): ReadLine => ({
      ...line,
      ...(line.pieces && {
        pieces: line.pieces.map((piece) => (piece.box.x === COVERED ? { ...piece, text: '' } : piece)),
      }),
    });
    const tables = page.tables.map((table) => ({
      ...table,
      cells: table.cells.map((cell) => ({ ...cell, ...(cell.lines && { lines: cell.lines.map(covered) }) })),
    }));
    const lines = interpretPage({ ...page, tables }, template).table!.lines;
    expect(lines.map(({ drugName }) => drugName.value)).toEqual(['나래캡슐200mg(', '가온정5밀리그램/1정']);
    expect(lines.map(({ nameEnd }) => nameEnd?.isClear)).toEqual([false, true]);
  });

  it('is read below its header, wherever that stands, up to the end of the list', () => {
    const rows = DRUGS.flatMap((drug, i) => cellsAt(5 + i, 445 + 30 * i, 475 + 30 * i, drugPrints(drug, 452 + 30 * i)));
    const end = cellsAt(8, 535, 565, [[['==== 이 하 여 백 ====', 120, 542]]]);
    const below = cellsAt(9, 600, 630, [[['사용기간 교부일로부터 ( 3 )일간', 70, 606]]]);
    const page = form([...rows, ...end, ...below, REMARKS]);
    expect(page.documentType).toBe('drug_table');
    expect(page.documentKind).toBe('prescription');
    expect(drugLinesOf(page)).toEqual(LINES);
    expect(page.table!.lines.map(({ timesPerDay }) => timesPerDay.value)).toEqual([3, 2, 3]);
    expect([...page.table!.columns].sort()).toEqual(['days', 'drugCode', 'drugName', 'quantity', 'timesPerDay']);
    expect(page.table!.unreadRows).toEqual([]);
  });

  it.each(['==== 이 하 여 백 ====', '※ 의하 여백', 'm이 하 여 백', '** 이하0 백 **'])(
    'ends at "%s", whatever is read of strokes below',
    (mark) => {
      const rows = DRUGS.flatMap((drug, i) =>
        cellsAt(5 + i, 445 + 30 * i, 475 + 30 * i, drugPrints(drug, 452 + 30 * i)),
      );
      const end = cellsAt(8, 535, 565, [[[mark, 120, 542]], [['4', 480, 542]]]);
      const stroke = cellsAt(9, 565, 595, [[['2시시사시스', 120, 572]], [], [], [['27', 620, 572]]]);
      const page = form([...rows, ...end, ...stroke]);
      expect(drugLinesOf(page)).toEqual(LINES);
      expect(page.table!.unreadRows).toEqual([]);
    },
  );

  it.each(['ruled', 'not ruled'])(
    'doubts a dose that a wide blank parts, 1 g read as 1 9, where its rows are %s',
    (rows) => {
      const prints = DRUGS.map((drug, i) => drugPrints(drug, 452 + 30 * i));
      prints[0] = prints[0]!.with(1, [
        ['1', 475, 452],
        ['9', 505, 452],
      ]);
      const tall = prints[0]!.map((_, column) => prints.flatMap((row) => row[column]!));
      const body =
        rows === 'ruled'
          ? prints.flatMap((row, i) => cellsAt(5 + i, 445 + 30 * i, 475 + 30 * i, row))
          : cellsAt(5, 445, 700, tall);
      const [first, second] = form(body).table!.lines;
      expect(first!.quantity.confidence).toBeLessThan(0.6);
      expect(second!.quantity.confidence).toBeGreaterThan(0.9);
    },
  );

  it('ends at the title of its remarks, though letters of that are misread', () => {
    const rows = DRUGS.flatMap((drug, i) => cellsAt(5 + i, 445 + 30 * i, 475 + 30 * i, drugPrints(drug, 452 + 30 * i)));
    const remarks: readonly Printed[] = [
      ['돔일성분 충복처방 사유', 70, 560],
      ['655800880 시유로드 g', 70, 580],
    ];
    expect(drugLinesOf(form([...rows, ...cellsAt(8, 540, 700, [remarks])]))).toEqual(LINES);
  });

  it('ends within a tall cell whose last name is not closed', () => {
    const [first, second, [code, , ...numbers]] = DRUGS;
    const third = [code, '다솜시럽정밀하고긴이름의약품(레보세티리진', ...numbers];
    const columns = Array.from({ length: 4 }, (_, column) =>
      [first, second, third].flatMap((drug, i) => drugPrints(drug, 460 + 24 * i)[column]!),
    );
    columns[0] = [...columns[0]!, ['이하여백', 130, 532]];
    const lines = drugLinesOf(form(cellsAt(5, 445, 800, columns)))!;
    expect(lines.map(([, name]) => name)).toEqual([first[1], second[1], third[1]]);
  });

  it('has no line for a remark that repeats a code below the list, where rows are ruled', () => {
    const rows = DRUGS.flatMap((drug, i) => cellsAt(5 + i, 445 + 30 * i, 475 + 30 * i, drugPrints(drug, 452 + 30 * i)));
    const remark = cellsAt(9, 600, 630, [[[`${DRUGS[0][0]}. 사유고드: B`, 70, 606]]]);
    expect(drugLinesOf(form([...rows, ...remark]))).toEqual(LINES);
  });

  it('tells where a name ends, and whether something else was read behind it', () => {
    const drugs = DRUGS.map((drug, i) => (i === 0 ? [drug[0], '가온정5밀리_', ...drug.slice(2)] : drug));
    const rows = drugs.flatMap((drug, i) => cellsAt(5 + i, 445 + 30 * i, 475 + 30 * i, drugPrints(drug, 452 + 30 * i)));
    const [first, second] = form(rows).table!.lines;
    expect(first).toMatchObject({ drugName: { value: '가온정5밀리' }, nameEnd: { isClear: false } });
    expect(second!.nameEnd).toMatchObject({ right: 300, isClear: true });
  });

  it('has no line for the block of its doctor, whatever its cells join to', () => {
    const rows = DRUGS.flatMap((drug, i) => cellsAt(5 + i, 445 + 30 * i, 475 + 30 * i, drugPrints(drug, 452 + 30 * i)));
    const doctor = readTable([
      ['질병', 'K', '7', '8', '6', '7', '처방', { text: '6171g1/79', numeral: '61710179' }, '면허종별', '의사'],
      ['기호', 'R', '5', '0', '5', '6', '의료인의 성명', '한지민', '면허번호', '제 18983 호'],
    ]);
    const page = printedForm([...ABOVE, ...cellsAt(4, 400, 445, HEADER), ...rows]);
    expect(drugLinesOf(interpretPage({ ...page, tables: [doctor, ...page.tables] }, template))).toEqual(LINES);
  });

  it.each(['655800880 JT017 F/복용기간 중복', '655800880 JT017675600810.m'])(
    'has no line for the reason of an interaction, though a stroke beside it reads as a number: %s',
    (reason) => {
      const rows = DRUGS.flatMap((drug, i) =>
        cellsAt(5 + i, 445 + 30 * i, 475 + 30 * i, drugPrints(drug, 452 + 30 * i)),
      );
      const check = cellsAt(9, 600, 630, [[[reason, 70, 606]], [], [], [['8', 620, 606]]]);
      expect(drugLinesOf(form([...rows, ...check]))).toEqual(LINES);
    },
  );

  it('has titles of its parts in several cells, which are no lost lines', () => {
    const rows = DRUGS.flatMap((drug, i) => cellsAt(6 + i, 475 + 30 * i, 505 + 30 * i, drugPrints(drug, 482 + 30 * i)));
    const orally = cellsAt(5, 445, 475, [[['<내복>', 70, 452]], [], [], [], [['→1일 2회 도포', 700, 452]]]);
    const title = cellsAt(9, 600, 630, [
      [['주사제 처방내역(원내조제□, 원', 70, 606]],
      [['외처방□', 470, 606]],
      [[')', 540, 606]],
      [],
      [['조제 시 참고사항', 700, 606]],
    ]);
    const page = form([...orally, ...rows, ...title]);
    expect(drugLinesOf(page)).toEqual(LINES);
    expect(page.table!.unreadRows).toEqual([]);
    expect(['나래캡슐200mg(내복)', '외용소독액', '주사용수'].filter(isPartTitle)).toEqual([]);
  });

  it.each([0, 9, -7])('keeps the rows of one tall cell apart, its numbers printed %i pixels lower', (shift) => {
    const columns = Array.from({ length: 4 }, (_, column) =>
      DRUGS.flatMap((drug, i) =>
        drugPrints(drug, 460 + 24 * i)[column]!.map(([text, x, y]): Printed => [text, x, column === 0 ? y : y + shift]),
      ),
    );
    expect(drugLinesOf(form([...cellsAt(5, 445, 800, columns), REMARKS]))).toEqual(LINES);
  });

  it('reads doses with their units, and the dose rather than the amount of a day', () => {
    const header = [
      HEADER[0]!,
      [['1일투약량', 470, 412]],
      [['1회투약량', 540, 412]],
      [['일수', 610, 412]],
    ] as const satisfies readonly (readonly Printed[])[];
    const rows = [
      [[['651700430 다솜시럽', 70, 460]], [['9 cc', 475, 460]], [['3cc', 545, 460]], [['3 일', 615, 460]]],
      [[['640500010 가온정', 70, 484]], [['2gm', 475, 484]], [['0.6667gm', 545, 484]], [['30', 615, 484]]],
    ] as const satisfies readonly (readonly (readonly Printed[])[])[];
    const body = rows.flatMap((row, i) => cellsAt(5 + i, 445 + 24 * i, 469 + 24 * i, row));
    const page = interpretPage(printedForm([...ABOVE, ...cellsAt(4, 400, 445, header), ...body]), template);
    expect(drugLinesOf(page)).toEqual([
      ['651700430', '다솜시럽', 3, 3],
      ['640500010', '가온정', 0.6667, 30],
    ]);
  });

  it.each([
    ['640500010 가온정5밀리그램', '640500010', '가온정5밀리그램'],
    ['(640500010)가온정5mg', '640500010', '가온정5mg'],
    ['640500010가온정_(5mg/1정)', '640500010', '가온정_(5mg/1정)'],
    ['1. 640500010 가온정(', '640500010', '가온정('],
    ['가온정5mg (640500010)', '640500010', '가온정5mg'],
    ['A12345678 가온정', 'A12345678', '가온정'],
    ['8806405000104 가온정', '8806405000104', '가온정'],
  ])('parts code and name of %s', (print, code, name) => {
    const rows = [[[print, 70, 460]], [['1', 490, 460]], [['3', 550, 460]], [['5', 620, 460]]] as const;
    const others = cellsAt(6, 475, 505, drugPrints(DRUGS[2], 482));
    expect(drugLinesOf(form([...cellsAt(5, 445, 475, rows), ...others]))?.[0]).toEqual([code, name, 1, 5]);
  });

  it.each([
    ['says the same over two columns', [['투약일수', 540, 412]], [['총투약일수', 610, 412]]],
    ['was not read over the last two columns', [], [['흙헬Y', 610, 412]]],
  ] as const satisfies readonly (readonly [string, readonly Printed[], readonly Printed[]])[])(
    'has its doses in the order of every form where the header %s, and says that it was not read',
    (_, times, days) => {
      const header = [HEADER[0]!, HEADER[1]!, times, days];
      const rows = DRUGS.flatMap((drug, i) =>
        cellsAt(5 + i, 445 + 30 * i, 475 + 30 * i, drugPrints(drug, 452 + 30 * i)),
      );
      const page = interpretPage(printedForm([...ABOVE, ...cellsAt(4, 400, 445, header), ...rows]), template);
      expect(drugLinesOf(page)).toEqual(LINES);
      expect(page.table!.lines.map(({ timesPerDay }) => timesPerDay.value)).toEqual([3, 2, 3]);
      expect(page.table!.inferredColumns.has('days')).toBe(true);
    },
  );

  it('is read where a rule of the other side cuts the header of the names', () => {
    const cut: readonly FormCell[] = [
      { box: [60, 400, 240, 445], prints: [['처방', 190, 412]], row: 4, column: 0 },
      { box: [240, 400, 460, 445], prints: [['의약품의 명칭', 245, 412]], row: 4, column: 1 },
      ...cellsAt(4, 400, 445, HEADER)
        .slice(1)
        .map((cell) => ({ ...cell, column: cell.column! + 1 })),
    ];
    const columns = Array.from({ length: 4 }, (_, column) =>
      DRUGS.flatMap((drug, i) => drugPrints(drug, 460 + 24 * i)[column]!),
    );
    const body = cellsAt(5, 445, 800, columns).map((cell, i) =>
      i === 0 ? { ...cell, columnSpan: 2 } : { ...cell, column: cell.column! + 1 },
    );
    expect(drugLinesOf(interpretPage(printedForm([...ABOVE, ...cut, ...body]), template))).toEqual(LINES);
  });

  it('goes on with a name that wraps, and drops a remark that only names a code again', () => {
    const long = '가온나래다솜라온마루바람사랑아름정5밀리';
    const columns: readonly (readonly Printed[])[] = [
      [
        [`640500010 ${long}`, 70, 460],
        ['그램(암로디핀)', 70, 478],
        ['651700430 다솜시럽', 70, 502],
        ['640500010 JT011', 70, 540],
      ],
      [
        ['1', 490, 460],
        ['15', 490, 502],
      ],
      [
        ['3', 550, 460],
        ['3', 550, 502],
      ],
      [
        ['7', 620, 460],
        ['3', 620, 502],
      ],
    ];
    expect(drugLinesOf(form(cellsAt(5, 445, 800, columns)))).toEqual([
      ['640500010', `${long}그램(암로디핀)`, 1, 7],
      ['651700430', '다솜시럽', 15, 3],
    ]);
  });

  it('leaves fees out that stand among the drugs', () => {
    const drugs = [DRUGS[0], ['AA154', '초진진찰료-의원', '1.00', '1', '1'], DRUGS[1], DRUGS[2]] as const;
    const rows = drugs.flatMap((drug, i) => cellsAt(5 + i, 445 + 30 * i, 475 + 30 * i, drugPrints(drug, 452 + 30 * i)));
    expect(drugLinesOf(form(rows))).toEqual(LINES);
  });

  it('goes on below an empty part, with the injections', () => {
    const at = (row: number) => 445 + 30 * row;
    const drugRow = (drug: (typeof DRUGS)[number], row: number) =>
      cellsAt(5 + row, at(row), at(row + 1), drugPrints(drug, at(row) + 7));
    const titleRow = (title: string, row: number) =>
      cellsAt(5 + row, at(row), at(row + 1), [[[title, 120, at(row) + 7]]]);
    const body = [
      ...drugRow(DRUGS[0], 0),
      ...titleRow('==== 이 하 여 백 ====', 1),
      ...titleRow('주사제 처방내역(원내조제□, 원외처방□)', 4),
      ...drugRow(DRUGS[1], 5),
      ...drugRow(DRUGS[2], 6),
      ...titleRow('사용기간 교부일로부터', 9),
    ];
    expect(drugLinesOf(form(body))).toEqual(LINES);
  });

  it('goes on with the injections also where the words over its names stand apart, their title below the one between', () => {
    const [first, second, third] = DRUGS.map((drug, i) => drugPrints(drug, i === 2 ? 737 : 452 + 30 * i));
    const open = first!.map((prints, column) => [...prints, ...second![column]!]);
    const body = [
      ...cellsAt(5, 445, 700, open.with(0, [...open[0]!, ['이하여백', 120, 512]])),
      ...cellsAt(6, 700, 730, [[['주사제 처방내역(원내조제□)', 225, 707]]]),
      ...cellsAt(7, 730, 900, third!),
    ];
    const words: Printed[] = [
      ['처방의약품의명칭', 70, 412],
      ['및', 270, 412],
      ['코드', 330, 412],
    ];
    const header = cellsAt(4, 400, 445, [words, ...HEADER.slice(1)]);
    expect(drugLinesOf(interpretPage(printedForm([...ABOVE, ...header, ...body]), template))).toEqual(LINES);
  });

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
  ])('takes the third of three dose columns for the days, whatever is read of its header: %s', (header, inferred) => {
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

  it('gives columns to stacks of numbers in order where print lies beside the form', () => {
    const header: readonly Printed[] = [
      ['처방의약품의 명칭', 100, 412],
      ['투여량', 470, 412],
      ['투여횟수', 505, 412],
      ['투약일수', 550, 412],
    ];
    const rows = DRUGS.flatMap(([code, name, ...numbers], i): Printed[] => [
      [`${code} ${name}`, 70, 460 + 24 * i],
      ...numbers.map((number, n): Printed => [number, [505, 545, 595][n]!, 460 + 24 * i]),
    ]);
    const cell: FormCell = { box: [60, 400, 680, 800], prints: [...header, ...rows], row: 4, columnSpan: 4 };
    expect(drugLinesOf(interpretPage(printedForm([...ABOVE, cell]), template))).toEqual(LINES);
  });

  it('has the doses that are printed beside their column, behind the names, and those that its border cuts', () => {
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

  it('has a drug without a code as a line of its own where a cell holds it and the one above, with numbers for both', () => {
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

  it('has days by their place where their header was not read, whatever a pen beside them is read as', () => {
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

  it('prints the amount of a day before the dose, which is no total though its header was not read', () => {
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

describe('a screen of orders', () => {
  const screen = (
    rows: readonly (readonly CellSpec[])[],
    header = ['순', '보험코드', '명칭', '1회투약량', '횟수', '일수'],
  ) => interpretPage(pageReading([readTable([header, ...rows])]), template);
  const ORDERS = DRUGS.map(([code, name, ...numbers], i) => [`${i + 1}`, code, name, ...numbers]);

  it('has diagnoses and remarks among the drugs, which are no lost lines', () => {
    const page = screen([
      ...ORDERS.slice(0, 2),
      ['3', 'M79.198', '기타 근통, 상세불명 부분', '', '', ''],
      ['', '', '금주 요망', '', '', ''],
      ORDERS[2]!,
    ]);
    expect(drugLinesOf(page)).toEqual(LINES);
    expect(page.table!.unreadRows).toEqual([]);
  });

  it('has fees among the drugs, also such as are named like injections', () => {
    const fees = [
      ['8', 'MM010', '피하 또는 근육내주사', '1', '1', '1'],
      ['9', '', '재진진찰료-의원', '1', '1', '1'],
      ['10', 'KK10', '흥브(지정서촤아여1', '1', '1', '1'],
    ];
    expect(drugLinesOf(screen([...ORDERS, ...fees]))).toEqual(LINES);
  });

  it('has fees among the drugs whose codes a narrow column cuts off, or of which a letter is read as a digit', () => {
    const fees = [
      ['8', 'MMO', '피하 또는 근육내주사', '1', '1', '1'],
      ['9', '00002020', '일반혈액검사', '1', '1', '1'],
      ['10', '', 'MM01 피하 또는 근육내주사', '1', '1', '1'],
      ['11', '', 'MMO 심층열치료', '1', '1', '1'],
    ];
    expect(drugLinesOf(screen([...ORDERS, ...fees]))).toEqual(LINES);
    const drug = ['12', 'MMO', '라온주사', '1', '1', '2'];
    expect(drugLinesOf(screen([...ORDERS, drug]))).toHaveLength(LINES.length + 1);
  });

  it('keeps an old code of a letter and eight digits', () => {
    expect(drugLinesOf(screen([...ORDERS, ['4', 'A12345678', '라온주사', '1', '1', '2']]))?.at(-1)).toEqual([
      'A12345678',
      '라온주사',
      1,
      2,
    ]);
  });

  it('takes no flags for the prescribed quantity', () => {
    const flags = ['3', '원외', '1', '원외'];
    const rows = [...ORDERS, ['4', '653100240', '라온정', '1', '1', '3']].map((row, i) => [...row, flags[i]!]);
    const page = screen(rows, ['순', '보험코드', '명칭', '1회투약량', '횟수', '일수', '내익구분']);
    expect(page.table!.columns.has('prescribedQty')).toBe(false);
  });

  it('reads whole numbers with the decimals that programs print, and a dose that fills their width', () => {
    const rows = ORDERS.map(([serial, code, name], i) => [
      serial!,
      code!,
      name!,
      ['1.0000', '0.5000', '100.000'][i]!,
      '3.00',
      '14.0000',
    ]);
    expect(drugLinesOf(screen(rows))?.map(([, , quantity, days]) => [quantity, days])).toEqual([
      [1, 14],
      [0.5, 14],
      [100, 14],
    ]);
  });

  it('may have lists with columns of their own, which are judged apart', () => {
    const claim = [
      ['보험코드', '명칭', '단가', '1회투약량', '일수', '금액'],
      ['642100010', '마루정5mg', '100', '1', '3', '300'],
      ['642100020', '바람정5mg', '50', '2', '3', '300'],
    ];
    const orders = [['순', '보험코드', '명칭', '1회투약량', '횟수', '일수'], ...ORDERS];
    const page = interpretPage(pageReading([readTable(claim), readTable(orders)]), template);
    expect(page.lists.map(({ lines, columns }) => [lines.length, columns.has('unitPrice')])).toEqual([
      [2, true],
      [3, false],
    ]);
    expect(page.table!.lines).toHaveLength(5);
  });
});
