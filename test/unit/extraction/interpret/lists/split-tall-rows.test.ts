import { describe, expect, it } from 'vitest';
import { splitTallRows } from '../../../../../functions/extraction/domain/interpret/lists/split-tall-rows.ts';
import { type CellSpec, linedCell, readTable } from '../../../../helpers/page-reading.ts';

const rowsOf = (rows: readonly (readonly CellSpec[])[]) => {
  const { cells, rowCount, columnCount } = splitTallRows(readTable(rows));
  return Array.from({ length: rowCount }, (_, row) =>
    Array.from(
      { length: columnCount },
      (_, column) => cells.find((cell) => cell.row === row && cell.column === column)?.text.text,
    ),
  );
};
const single = (...texts: readonly string[]) => texts.map((text) => linedCell([text]));

describe('a row that holds what two print', () => {
  it('is split in two, each with the print level with its code', () => {
    expect(
      rowsOf([
        single('640500010 가온정5mg', '1.0', '3', '7'),
        [
          linedCell(['653100230 나래캡슐200mg', '651700430 다솜정10mg']),
          linedCell(['1.0', '0.5 캅셀']),
          linedCell(['1', '2']),
          linedCell(['30']),
        ],
        single('645501300 마루정', '1.0', '2', '5'),
        single('645501290 라온정60mg', '2.0', '1', '5'),
      ]),
    ).toEqual([
      ['640500010 가온정5mg', '1.0', '3', '7'],
      ['653100230 나래캡슐200mg', '1.0', '1', '30'],
      ['651700430 다솜정10mg', '0.5 캅셀', '2', ''],
      ['645501300 마루정', '1.0', '2', '5'],
      ['645501290 라온정60mg', '2.0', '1', '5'],
    ]);
  });

  it.each<[string, readonly CellSpec[]]>([
    [
      'its second line is the name',
      [linedCell(['640500010', '가온정5mg']), linedCell(['1', '2']), linedCell(['3', '4'])],
    ],
    ['numbers appear once', [linedCell(['653100230 나래캡슐', '651700430 다솜정']), ...single('1.0', '3', '30')]],
    [
      'lines of a cell were not told apart',
      [linedCell(['653100230 나래캡슐', '651700430 다솜정']), linedCell(['1', '2']), linedCell(['1', '2']), '30'],
    ],
  ])('is one where %s', (_, row) => {
    const others = ['640500010 가온정5mg', '645501290 라온정60mg'].map((name) => single(name, '1.0', '3', '7'));
    expect(rowsOf([...others, row])).toHaveLength(3);
  });

  it('is one where hardly another row prints one', () => {
    const row = [linedCell(['653100230 나래캡슐', '651700430 다솜정']), linedCell(['1', '2']), linedCell(['3', '4'])];
    expect(rowsOf([single('640500010 가온정5mg', '1.0', '3'), row])).toHaveLength(2);
  });
});
