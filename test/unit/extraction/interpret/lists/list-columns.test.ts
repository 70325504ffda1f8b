import { describe, expect, it } from 'vitest';
import type { Header, HeaderCell } from '../../../../../functions/extraction/domain/interpret/headers/find-headers.ts';
import { matchHeader } from '../../../../../functions/extraction/domain/interpret/headers/header-words.ts';
import { listColumns, partAtBorder } from '../../../../../functions/extraction/domain/interpret/lists/list-columns.ts';
import type { Print } from '../../../../../functions/extraction/domain/interpret/print.ts';
import type { Box, ReadCell } from '../../../../../functions/extraction/domain/reading/table-reader.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';

const template = findTemplate('default')!;
const LINE = 10;

function headerCell(text: string, x: number): HeaderCell {
  const box = { x, y: 0, width: text.length * LINE, height: LINE };
  return { text, match: matchHeader(text, template), prints: [], box };
}

function print(text: string, x: number, y: number, width = 0.6 * LINE * text.length): Print {
  const box = { x, y, width, height: LINE };
  return { text, confidence: 1, numeral: { text, confidence: 1 }, box, cell: null, table: null, line: null };
}

/** A cell of the form that holds a header. */
function formCell(text: string, box: Box): ReadCell {
  return {
    row: 0,
    column: 0,
    rowSpan: 1,
    columnSpan: 4,
    box,
    blank: false,
    text: { text, confidence: 1 },
    numeral: null,
  };
}

/** A header alone in its cell of the form. */
function ruled(text: string, x: number, width: number): HeaderCell {
  const read = print(text, x + 5, 0);
  const cell = formCell(text, { x, y: 0, width, height: LINE });
  return { ...headerCell(text, x + 5), prints: [{ ...read, cell }] };
}

describe('the columns of a list', () => {
  const header: Header = {
    cells: [
      headerCell('처방의약품의 명칭', 0),
      headerCell('투여량', 200),
      headerCell('투여횟수', 240),
      headerCell('투약일수', 290),
    ],
    box: { x: 0, y: 0, width: 330, height: LINE },
    table: null,
  };
  const numbers = [20, 40, 60].flatMap((y) => [print('1', 236, y), print('3', 262, y), print('7', 310, y)]);
  const placesOf = (below: readonly Print[]) =>
    listColumns(header, below, below).map(({ left, right }) =>
      numbers.slice(0, 3).flatMap(({ box, text }) => (box.x >= left && box.x < right ? text : [])),
    );

  it('take the stacks of numbers in order, if these are off their headers', () => {
    expect(placesOf(numbers)).toEqual([[], ['1'], ['3'], ['7']]);
  });

  it('take them so if a price follows the words of how to take it', () => {
    const cells = [...header.cells, headerCell('용법', 360), headerCell('단가', 460)];
    const priced = [...numbers, ...[20, 40, 60].flatMap((y) => [print('식후', 365, y), print('120', 462, y)])];
    const columns = listColumns({ ...header, cells }, priced, priced);
    const textsIn = ({ left, right }: (typeof columns)[number]) =>
      priced.slice(0, 3).flatMap(({ box, text }) => (box.x >= left && box.x < right ? text : []));
    expect(columns.map(textsIn)).toEqual([[], ['1'], ['3'], ['7'], [], []]);
  });

  it('take them so where the rests of a rule were read as a number across them', () => {
    expect(placesOf([...numbers, print('15', 205, 80, 120)])).toEqual([[], ['1'], ['3'], ['7']]);
  });

  const placed = [20, 40, 60].flatMap((y) => [print('1', 210, y), print('3', 255, y), print('7', 304, y)]);
  const amounts = [20, 40, 60].map((y) => print('12,400', 370, y));
  const kindsOf = (below: readonly Print[]) =>
    listColumns(header, below, below).map(({ header }) => header.match?.kind ?? null);

  it("are two below one header if its numbers form two stacks: the other's header was not read", () => {
    expect(kindsOf([...placed, ...amounts])).toEqual(['drugName', 'quantity', 'timesPerDay', 'days', null]);
    const unread = listColumns(header, placed, [...placed, ...amounts]).at(-1)!;
    expect(amounts.every(({ box }) => box.x >= unread.left && box.x < unread.right)).toBe(true);
  });

  it('are two below a header that says nothing, as that of line numbers and codes read as one', () => {
    const cells = [headerCell('줄 코드', -160), ...header.cells];
    const coded = [20, 40, 60].flatMap((y) => [print('1', -158, y), print('640500010', -130, y)]);
    const columns = listColumns({ ...header, cells }, [], [...coded, ...placed]);
    const textsIn = ({ left, right }: (typeof columns)[number]) =>
      coded.slice(0, 2).flatMap(({ box, text }) => (box.x >= left && box.x < right ? text : []));
    expect(columns.slice(0, 2).map(textsIn)).toEqual([['1'], ['640500010']]);
  });

  it.each([
    ['a unit behind the numbers was read as digits', [...placed, ...[20, 40, 60].map((y) => print('1', 318, y))]],
    ['another header has no numbers below it', [...placed.filter(({ text }) => text !== '3'), ...amounts]],
    ['one row alone shows a second number', [...placed, amounts[0]!]],
  ])('stay one where %s', (_, below) => {
    expect(kindsOf(below)).toEqual(['drugName', 'quantity', 'timesPerDay', 'days']);
  });

  it('are one more between two columns of the form, if it has numbers: its header was not read', () => {
    const cells = [
      ruled('약품명', 0, 200),
      ruled('투여량', 200, 40),
      ruled('투여횟수', 240, 50),
      ruled('용법', 340, 80),
    ];
    const prints = cells.flatMap((cell) => cell.prints);
    const below = [20, 40].map((y) => print('7', 310, y));
    const columnsOver = (numbers: readonly Print[]) => listColumns({ ...header, cells }, prints, numbers);
    expect(columnsOver(below)[3]).toMatchObject({ header: { text: '', match: null }, left: 290, right: 340 });
    expect(columnsOver(below.slice(1))).toHaveLength(4);
    expect(columnsOver([20, 40].map((y) => print('식후', 300, y)))).toHaveLength(4);
  });

  it('ignore a speck in a cell that reaches over them', () => {
    const box = { x: 190, y: 10, width: 160, height: LINE };
    const cell = formCell('.', box);
    const speck = { ...print('.', 192, 10), cell };
    const [names, ...others] = header.cells;
    const cells = [names!, { ...headerCell('.', 192), prints: [speck] }, ...others];
    const columns = listColumns({ ...header, cells }, [speck, ...numbers], numbers);
    expect(columns.map(({ header }) => header.text)).toEqual(header.cells.map(({ text }) => text));
  });
});

describe('a number and the word of the next column read as one', () => {
  const column = (text: string, left: number, right: number) => ({
    header: headerCell(text, left),
    ruled: false,
    left,
    right,
  });
  const columns = [column('투여횟수', 0, 40), column('투약일수', 40, 80), column('용법', 80, 200)];

  it.each([
    ['90 식후30', '식후30', 1],
    ['90.B2', 'B2', 0.5],
  ])(
    'are split at the border between the columns, and the number is doubted without a blank: %s',
    (text, word, sure) => {
      const [number, next, ...more] = partAtBorder(print(text, 62, 0, 62), columns);
      expect([number!.text, number!.numeral!.text, next!.text, more]).toEqual(['90', '90', word, []]);
      expect(number!.numeral!.confidence).toBeCloseTo(sure);
      expect(number!.box.x + number!.box.width).toBeLessThanOrEqual(next!.box.x);
    },
  );

  it.each([
    ['ends with its own column', '90 일', 45, 30],
    ['continues with that of the next number', '1 일', 30, 30],
    ['is not a number before a word', '90일분', 60, 60],
  ])('are left as one where the print %s', (_, text, x, width) => {
    const whole = print(text, x, 0, width);
    expect(partAtBorder(whole, columns)).toEqual([whole]);
  });
});
