import { describe, expect, it } from 'vitest';
import { keyOf } from '../../../../functions/extraction/domain/reading/align-tables.ts';
import { type ClaimedTable, confirmTables } from '../../../../functions/extraction/domain/reading/confirm-tables.ts';
import type { ReadTable } from '../../../../functions/extraction/domain/reading/table-reader.ts';
import { type CellSpec, pageReading, readTable } from '../../../helpers/page-reading.ts';

const HEADER = ['약품코드', '약품명', '투여량', '일수', '단가', '금액'];
const ROWS = [
  ['642100010', '가나정10mg', '1', '30', '112', '3,360'],
  ['642100020', '다라캡슐', '1.5', '7', '250', '2,625'],
  ['073400340', '마바시럽', '2', '3', '1,090', '6,540'],
];
const own = [HEADER, ...ROWS];

function confirmed(claim: ClaimedTable, ownRows: readonly (readonly CellSpec[])[] = own): ReadTable {
  const [table, ...others] = confirmTables([claim], pageReading([readTable(ownRows)]));
  expect(others).toEqual([]);
  expect(table!.cells).toHaveLength(table!.rowCount * table!.columnCount);
  return table!;
}

const cell = (table: ReadTable, row: number, column: number) =>
  table.cells.find((each) => each.row === row && each.column === column)!;
const texts = (table: ReadTable) =>
  Array.from({ length: table.rowCount }, (_, row) =>
    Array.from({ length: table.columnCount }, (_, column) => cell(table, row, column).text.text),
  );
const changed = (row: number, column: number, text: string) =>
  ROWS.map((cells, r) => cells.map((old, c) => (r === row && c === column ? text : old)));

describe('a claim', () => {
  it('that says what we read is surer than either', () => {
    const table = confirmed({ header: HEADER, rows: ROWS });
    expect(texts(table)).toEqual(own);
    for (const { row, text, numeral } of table.cells) {
      expect(text.confidence).toBeGreaterThanOrEqual(0.99);
      if (row > 0 && numeral) expect(numeral.confidence).toBeGreaterThan(0.99);
    }
    expect(table.bounded).toBe(true);
  });

  it.each([
    ['a digit', 0, 4, '113'],
    ['a code', 1, 0, '642100021'],
    ['a leading zero', 2, 0, '73400340'],
    ['a fraction', 1, 2, '15'],
    ['a name', 0, 1, '가나정100mg'],
  ])('that changes %s is not confirmed in that cell, and in no other', (_, row, column, text) => {
    const table = confirmed({ header: HEADER, rows: changed(row, column, text) });
    for (const each of table.cells) {
      const isChanged = each.row === row + 1 && each.column === column;
      expect(each.text.confidence === 0, `${each.row} ${each.column}`).toBe(isChanged);
      if (each.numeral) expect(each.numeral.confidence === 0).toBe(isChanged);
    }
    expect(cell(table, row + 1, column).text.text).toBe(text);
  });

  it('that moves a value to another row is not confirmed there', () => {
    const swapped = ROWS.map((cells, r) => (r < 2 ? [...cells.slice(0, 5), ROWS[1 - r]![5]!] : cells));
    const table = confirmed({ header: HEADER, rows: swapped });
    expect([1, 2, 3].map((row) => cell(table, row, 5).text.confidence === 0)).toEqual([true, true, false]);
  });

  it('that swaps two headers does not give the columns another meaning', () => {
    const header = ['약품코드', '약품명', '일수', '투여량', '단가', '금액'];
    expect(texts(confirmed({ header, rows: ROWS }))[0]).toEqual(HEADER);
  });

  it('may read a header better than we did', () => {
    const misread = [HEADER.map((word) => word.replace('약품명', '약풍명').replace('단가', '단')), ...ROWS];
    expect(texts(confirmed({ header: HEADER, rows: ROWS }, misread))[0]).toEqual(
      HEADER.map((word) => (word === '단가' ? '단' : word)),
    );
  });

  it('that leaves out a row leaves it as we read it, in its place', () => {
    const table = confirmed({ header: HEADER, rows: [ROWS[0]!, ROWS[2]!] });
    expect(texts(table)).toEqual(own);
    expect(cell(table, 2, 4).numeral).toEqual({ text: '250', confidence: 0.99 });
  });

  it('that adds a row is not confirmed in any of its cells', () => {
    const invented = ['649999990', '없는정', '9', '9', '99', '891'];
    const table = confirmed({ header: HEADER, rows: [...ROWS.slice(0, 2), invented, ROWS[2]!] });
    expect(texts(table)[3]).toEqual(invented);
    for (const column of invented.keys()) expect(cell(table, 3, column).text.confidence).toBe(0);
    expect(cell(table, 4, 0).text.confidence).toBeGreaterThan(0.9);
  });

  it('that calls a written cell empty gives our own reading, in doubt', () => {
    const { text, blank } = cell(confirmed({ header: HEADER, rows: changed(0, 4, '') }), 1, 4);
    expect({ text: text.text, blank }).toEqual({ text: '112', blank: false });
    expect(text.confidence).toBeLessThan(0.5);
  });

  it('of a table where we found none is confirmed nowhere, header included', () => {
    const [table] = confirmTables([{ header: HEADER, rows: ROWS }], pageReading([]));
    expect(texts(table!)).toEqual([HEADER.map(() => ''), ...ROWS]);
    for (const { text, box } of table!.cells) {
      expect(text.confidence).toBe(0);
      expect(Math.min(box.width, box.height)).toBeGreaterThan(0);
    }
    expect(table!.bounded).toBe(false);
  });

  it('of nothing leaves our own tables as they are', () => {
    const reading = pageReading([readTable(own)]);
    expect(confirmTables([], reading)).toEqual(reading.tables);
  });
});

describe('two readings of one cell', () => {
  it.each([
    ['3,360', '3.360'],
    ['3360원', '3,360'],
    ['1.5', '1,5'],
    ['가나정 10㎎', '가나정10mg'],
    ['0.500', '0,500'],
  ])('%s and %s say the same', (a, b) => {
    expect(keyOf(a)).toBe(keyOf(b));
  });

  it.each([
    ['1.5', '15'],
    ['0.5', '05'],
    ['073400340', '73400340'],
    ['가나정10mg', '가나정100mg'],
    ['-1', '1'],
  ])('%s and %s do not', (a, b) => {
    expect(keyOf(a)).not.toBe(keyOf(b));
  });
});
