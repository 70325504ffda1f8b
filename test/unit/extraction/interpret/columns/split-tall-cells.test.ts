import { describe, expect, it } from 'vitest';
import { splitTallCells } from '../../../../../functions/extraction/domain/interpret/columns/split-tall-cells.ts';
import { type CellSpec, linedCell, readTable } from '../../../../helpers/page-reading.ts';

/** Rows of the helper's tables are as high as the distance of its lines. */
const tall = (lines: readonly string[], rowSpan: number, top = 1): CellSpec => {
  const cell = linedCell(lines) as Exclude<CellSpec, string | null>;
  const placed = cell.lines!.map((line) => ({ ...line, box: { ...line.box, y: line.box.y + top * 20 } }));
  return { ...cell, rowSpan, lines: placed };
};
const tableWith = (days: CellSpec) =>
  readTable([
    ['약품명', '1회량', '일수'],
    ['가나정', '1', days],
    ['다라정', '2', null],
    ['마바정', '3', null],
  ]);

describe('splitTallCells', () => {
  it('gives each number below another to its row', () => {
    const { cells } = splitTallCells(tableWith(tall(['7', '14일', '30'], 3)));
    const days = cells.filter(({ column, row }) => column === 2 && row > 0);
    expect(days.map(({ row, rowSpan, text }) => [row, rowSpan, text.text])).toEqual([
      [1, 1, '7'],
      [2, 1, '14일'],
      [3, 1, '30'],
    ]);
  });

  it('gives each code with its name to its row, and their header to the header', () => {
    const table = readTable([
      [tall(['약품명', '654301230 가나정', '654301240 다라정'], 3, 0), '1회량', '일수'],
      [null, '1', '3'],
      [null, '2', '5'],
    ]);
    const names = splitTallCells(table).cells.filter(({ column }) => column === 0);
    expect(names.map(({ row, rowSpan, text }) => [row, rowSpan, text.text])).toEqual([
      [0, 1, '약품명'],
      [1, 1, '654301230 가나정'],
      [2, 1, '654301240 다라정'],
    ]);
  });

  it.each([
    ['a code and its name, line by line', tall(['654301230', '가나정', '50mg'], 3)],
    ['words', tall(['식후 30분', '취침전'], 3)],
    ['one number for all', tall(['7'], 3)],
    ['numbers beyond its rows', tall(['7', '14'], 2, 3)],
  ])('leaves a cell of %s', (_, cell) => {
    const table = tableWith(cell);
    expect(splitTallCells(table)).toBe(table);
  });
});
