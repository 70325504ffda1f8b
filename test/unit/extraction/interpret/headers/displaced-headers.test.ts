import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { type CellSpec, pageReading, readTable } from '../../../../helpers/page-reading.ts';

const template = findTemplate('default')!;

function linesOf(...rows: (readonly CellSpec[])[]) {
  const { table } = interpretPage(pageReading([readTable(rows)]), template);
  return table?.lines.map((line) => [line.drugCode.value, line.drugName.value, line.quantity.value, line.days.value]);
}

describe('a header over a column without values', () => {
  it('announces the neighbour that has values and no header', () => {
    expect(
      linesOf(
        ['코드', '', '약품명', '1회량', '', '횟수', '일수', ''],
        ['640500010', '가온정5밀리그램', '', '', '0.5', '3', '', '7'],
        ['653100230', '나래캡슐200mg', '', '', '2', '2', '', '14'],
      ),
    ).toEqual([
      ['640500010', '가온정5밀리그램', 0.5, 7],
      ['653100230', '나래캡슐200mg', 2, 14],
    ]);
  });

  it('announces of two such neighbours the fuller one, not a column that only another grid below has', () => {
    expect(
      linesOf(
        ['코드', '약품명', '', '1회량', '', '횟수', '일수'],
        ['640500010', '가온정5밀리그램', '', '', '0.5', '3', '7'],
        ['653100230', '나래캡슐200mg', '', '', '2', '2', '14'],
        ['653100240', '다솜정10mg', '', '', '1', '2', '14'],
        ['2025-07-15', 'AST', '28', '', '', '', ''],
      ),
    ).toEqual([
      ['640500010', '가온정5밀리그램', 0.5, 7],
      ['653100230', '나래캡슐200mg', 2, 14],
      ['653100240', '다솜정10mg', 1, 14],
    ]);
  });
});
