import { describe, expect, it } from 'vitest';
import { joinCodeCells } from '../../../../../functions/extraction/domain/interpret/columns/join-code-cells.ts';
import { type CellSpec, readTable } from '../../../../helpers/page-reading.ts';

const tall = (text: string, rowSpan = 2): CellSpec => ({ text, rowSpan });

describe('joinCodeCells', () => {
  it.each([
    ['below', '가나정5mg', '650100010'],
    ['above', '[650100010]', '가나정5mg'],
  ])('joins a name with the code in a separate cell %s it, if numbers are in cells as high as both', (_, a, b) => {
    const { cells } = joinCodeCells(
      readTable([
        ['약품명', '1회량', '횟수', '일수'],
        [a, tall('1'), tall('3'), tall('7')],
        [b, null, null, null],
        ['다라정', tall('2'), tall('3'), tall('7')],
        ['650100020', null, null, null],
      ]),
    );
    expect(cells.filter(({ column }) => column === 0).map(({ row, rowSpan }) => [row, rowSpan])).toEqual([
      [0, 1],
      [1, 2],
      [3, 2],
    ]);
    expect(cells.find(({ row, column }) => row === 1 && column === 0)!.lines!.map(({ text }) => text)).toEqual([a, b]);
  });

  it.each<[string, readonly (readonly CellSpec[])[]]>([
    [
      'each has separate numbers',
      [
        ['가나정5mg', '1', '3'],
        ['650100010', '1', '3'],
      ],
    ],
    [
      'one cell alone is as high as both',
      [
        ['가나정5mg', tall('1'), '3'],
        ['650100010', null, '7'],
      ],
    ],
    [
      'the cells are higher than both',
      [
        ['가나정5mg', tall('1', 3), tall('3', 3)],
        ['650100010', null, null],
        ['다라정', null, null],
      ],
    ],
    [
      'none is a code',
      [
        ['가나정5mg', tall('1'), tall('3')],
        ['(가나염산염)', null, null],
      ],
    ],
  ])('leaves a table as it is where %s', (_, rows) => {
    const table = readTable(rows);
    expect(joinCodeCells(table)).toBe(table);
  });
});
