import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { isPartTitle } from '../../../../../functions/extraction/domain/interpret/lists/list-marks.ts';
import type { ReadLine } from '../../../../../functions/extraction/domain/reading/table-reader.ts';
import { readTable } from '../../../../helpers/page-reading.ts';
import {
  ABOVE,
  cellsAt,
  drugPrints,
  form,
  HEADER,
  REMARKS,
  SIDES,
  template,
} from '../../../../helpers/prescription-form.ts';
import {
  DRUGS,
  drugLinesOf,
  type FormCell,
  LINES,
  type Printed,
  printedForm,
} from '../../../../helpers/printed-form.ts';

describe('a prescription form', () => {
  it('doubts a name with a covered part: illegible by itself, but the whole line shows that it is longer', () => {
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

  it('is read below its header, at any place, up to the end of the list', () => {
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

  it.each(['==== 이 하 여 백 ====', '※ 의하 여백', 'm이 하 여 백', '** 이하0 백 **', '이하 여㎎'])(
    'ends at "%s", with any reading of strokes below',
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

  it('knows the end of a name, and whether other print was read behind it', () => {
    const drugs = DRUGS.map((drug, i) => (i === 0 ? [drug[0], '가온정5밀리|', ...drug.slice(2)] : drug));
    const rows = drugs.flatMap((drug, i) => cellsAt(5 + i, 445 + 30 * i, 475 + 30 * i, drugPrints(drug, 452 + 30 * i)));
    const [first, second] = form(rows).table!.lines;
    expect(first).toMatchObject({ drugName: { value: '가온정5밀리' }, nameEnd: { isClear: false } });
    expect(second!.nameEnd).toMatchObject({ right: 300, isClear: true });
  });

  it('has no line for the block of its doctor, however its cells join', () => {
    const rows = DRUGS.flatMap((drug, i) => cellsAt(5 + i, 445 + 30 * i, 475 + 30 * i, drugPrints(drug, 452 + 30 * i)));
    const doctor = readTable([
      ['질병', 'K', '7', '8', '6', '7', '처방', { text: '6171g1/79', numeral: '61710179' }, '면허종별', '의사'],
      ['기호', 'R', '5', '0', '5', '6', '의료인의 성명', '한지민', '면허번호', '제 18983 호'],
    ]);
    const page = printedForm([...ABOVE, ...cellsAt(4, 400, 445, HEADER), ...rows]);
    expect(drugLinesOf(interpretPage({ ...page, tables: [doctor, ...page.tables] }, template))).toEqual(LINES);
  });

  it.each(['655800880 JT017 F/복용기간 중복', '655800880 JT017675600810.m'])(
    'has no line for the reason of an interaction, though a stroke next to it reads as a number: %s',
    (reason) => {
      const rows = DRUGS.flatMap((drug, i) =>
        cellsAt(5 + i, 445 + 30 * i, 475 + 30 * i, drugPrints(drug, 452 + 30 * i)),
      );
      const check = cellsAt(9, 600, 630, [[[reason, 70, 606]], [], [], [['8', 620, 606]]]);
      expect(drugLinesOf(form([...rows, ...check]))).toEqual(LINES);
    },
  );

  it.each([`${DRUGS[0][0]} JTO1`, `${DRUGS[0][0]} J1017 F/복용기간이 숭복`, `${DRUGS[0][0].slice(1)} 가온 밀`])(
    'has no line for a code that it repeats with a reason, or a part of a name, that was misread: %s',
    (print) => {
      const rows = DRUGS.flatMap((drug, i) =>
        cellsAt(5 + i, 445 + 30 * i, 475 + 30 * i, drugPrints(drug, 452 + 30 * i)),
      );
      const isReason = print.startsWith(DRUGS[0][0]);
      const check = cellsAt(9, 600, 630, [[[print, 70, 606]], [], [], isReason ? [['8', 620, 606]] : []]);
      expect(drugLinesOf(form([...rows, ...check]))).toEqual(LINES);
    },
  );

  it.each(['691403300 JT', '062108690 11012', '657880340 1014', '679102080 시퓽코드:μ', '685002410 시유코드8'])(
    'has no line for a misread code with a misread reason behind it: %s',
    (print) => {
      const rows = DRUGS.flatMap((drug, i) =>
        cellsAt(5 + i, 445 + 30 * i, 475 + 30 * i, drugPrints(drug, 452 + 30 * i)),
      );
      expect(drugLinesOf(form([...rows, ...cellsAt(9, 600, 630, [[[print, 70, 606]]])]))).toEqual(LINES);
    },
  );

  it('has titles of its parts in several cells, which are not lost lines', () => {
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

  it('continues a name that wraps, and drops a remark that only names a code again', () => {
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

  it.each([
    ['among the drugs', 'AA154', '초진진찰료-의원'],
    ['whose code was read as digits', '72000', '조제기본료(방문당)'],
  ])('leaves out fees %s', (_, code, fee) => {
    const drugs = [DRUGS[0], [code, fee, '1.00', '1', '1'], DRUGS[1], DRUGS[2]] as const;
    const rows = drugs.flatMap((drug, i) => cellsAt(5 + i, 445 + 30 * i, 475 + 30 * i, drugPrints(drug, 452 + 30 * i)));
    expect(drugLinesOf(form(rows))).toEqual(LINES);
  });

  it('continues below an empty part, with the injections', () => {
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

  it('continues with the injections also if the words over its names are apart, their title below the one between', () => {
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
});
