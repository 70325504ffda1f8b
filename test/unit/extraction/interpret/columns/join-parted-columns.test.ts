import { describe, expect, it } from 'vitest';
import { joinPartedColumns } from '../../../../../functions/extraction/domain/interpret/columns/join-parted-columns.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { type CellSpec, readTable } from '../../../../helpers/page-reading.ts';

const template = findTemplate('default')!;

function textsOf(...rows: (readonly CellSpec[])[]) {
  const { cells, columnCount } = joinPartedColumns(readTable(rows), template);
  const texts = new Map(cells.map(({ row, column, text }) => [`${row},${column}`, text.text]));
  return rows.map((_, row) => Array.from({ length: columnCount }, (_, column) => texts.get(`${row},${column}`)));
}

const HEADER = ['약품코드', '약품명', '투약량', '', '횟수', '일수'];

describe('joinPartedColumns', () => {
  it('joins numbers of different length under one header, over either of the two columns', () => {
    const rows = [
      ['640500010', '가온정', '0.3333', '', '2', '30'],
      ['653100230', '나래캡슐', '', '1', '1', '30'],
      ['651700430', '다솜시럽', '', '15', '3', '3'],
    ];
    const joined = [
      ['640500010', '가온정', '0.3333', '2', '30'],
      ['653100230', '나래캡슐', '1', '1', '30'],
      ['651700430', '다솜시럽', '15', '3', '3'],
    ];
    expect(textsOf(HEADER, ...rows).slice(1)).toEqual(joined);
    const other = ['약품코드', '약품명', '', '투약량', '횟수', '일수'];
    const [header, ...body] = textsOf(other, ...rows);
    expect(header).toEqual(['약품코드', '약품명', '투약량', '횟수', '일수']);
    expect(body).toEqual(joined);
  });

  it('doubts a number with digits in both columns', () => {
    const { cells } = joinPartedColumns(
      readTable([
        HEADER,
        ['640500010', '가온정', '0.3333', '', '2', '30'],
        ['653100230', '나래캡슐', '', '1', '1', '30'],
        ['651700430', '다솜시럽', '', '15', '3', '3'],
        ['651700440', '라온시럽', '', '2', '3', '3'],
        ['651700450', '마루정', '1', '5', '3', '3'],
      ]),
      template,
    );
    const cut = cells.find(({ row, column }) => row === 5 && column === 2)!;
    expect(cut.text.confidence).toBeLessThanOrEqual(0.5);
    expect(cut.numeral!.confidence).toBeLessThanOrEqual(0.5);
  });

  it.each([
    ['each has a header', ['약품코드', '약품명', '투약량', '총량', '횟수', '일수'], ''],
    ['most rows have both', HEADER, '7'],
    ['one holds words', HEADER, '식후'],
  ])('leaves two columns alone where %s', (_, header, second) => {
    const table = readTable([
      header,
      ['640500010', '가온정', '0.3333', second, '2', '30'],
      ['653100230', '나래캡슐', '2', second, '1', '30'],
      ['651700430', '다솜시럽', second, '15', '3', '3'],
    ]);
    expect(joinPartedColumns(table, template)).toBe(table);
  });
});
