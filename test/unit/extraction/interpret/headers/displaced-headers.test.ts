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

  it('announces the neighbour of whose header a piece was read apart', () => {
    const rows = (piece: string) =>
      linesOf(
        ['코드', '약품명', '1회량', '횟수', '일수', piece, '용법'],
        ['640500010', '가온정5밀리그램', '0.5', '3', '', '7', '식후'],
        ['653100230', '나래캡슐200mg', '2', '2', '', '14', ''],
      )?.map((line) => line[3]);
    expect(rows('투')).toEqual([7, 14]);
    expect(rows('본인부담')).toEqual([null, null]);
  });

  it('announces no numbers where it is one of directions that the sheet leaves out', () => {
    expect(
      linesOf(
        ['코드', '약품명', '1회량', '5', '0', '용법'],
        ['640500010', '가온정5밀리그램', '0.5', '3', '7', ''],
        ['653100230', '나래캡슐200mg', '2', '2', '14', ''],
      )?.map((line) => line[3]),
    ).toEqual([7, 14]);
  });

  it('announces the next that has values beyond others without, though it is headed with its own start', () => {
    const dosesUnder = (word: string) =>
      linesOf(
        ['코드', '약품명', word, '', '1회투여량', '횟수', '일수'],
        ['640500010', '가온정5밀리그램', '0.5', '', '', '3', '7'],
        ['653100230', '나래캡슐200mg', '2', '', '', '2', '14'],
      )?.map((line) => line[2]);
    expect(dosesUnder('')).toEqual([0.5, 2]);
    expect(dosesUnder('투 여')).toEqual([0.5, 2]);
    expect(dosesUnder('비고')).toEqual([null, null]);
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
