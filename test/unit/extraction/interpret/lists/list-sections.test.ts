import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import type { ReadText } from '../../../../../functions/extraction/domain/reading/table-reader.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { pageReading, readTable } from '../../../../helpers/page-reading.ts';

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

  it('is read without it where that is too low for a digit, and doubted', () => {
    expect(daysOf(texts({ text: '1', confidence: 0.75, height: 8 }))).toMatchObject({ value: 2 });
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
