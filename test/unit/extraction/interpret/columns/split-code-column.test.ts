import { describe, expect, it } from 'vitest';
import { splitCodeColumn } from '../../../../../functions/extraction/domain/interpret/columns/split-code-column.ts';
import { type CellSpec, linedCell, readTable } from '../../../../helpers/page-reading.ts';

/** A cell of one line with two pieces. @param whole what the line as a whole was read as. */
const read = (code: string, name: string, whole: string): CellSpec => {
  const at = (text: string, x: number) => {
    return { text, confidence: 0.99, numeral: null, box: { x, y: 0, width: 9 * text.length, height: 12 } };
  };
  return { text: whole, lines: [{ ...at(whole, 0), pieces: [at(code, 0), at(name, 90)] }] };
};

describe('splitCodeColumn', () => {
  it.each<[string, readonly string[], string?]>([
    ['right before the name', ['650100010가나정5mg', '650100020다라정', '650100030마바시럽']],
    ['in brackets', ['(650100010)가나정5mg', '[650100020] 다라정', '(650100030)마바시럽']],
    ['in an old form', ['650100010 가나정5mg', '650100020 다라정', 'A50100030 마바시럽'], 'A50100030'],
    ['behind a serial number', ['1 650100010 가나정5mg', '2 650100020 다라정', '3 650100030 마바시럽']],
  ])('parts codes %s', (_, printed, last = '650100030') => {
    const { columnCount, cells } = splitCodeColumn(readTable(printed.map((text) => [text, '1', '3'])));
    expect(columnCount).toBe(4);
    const texts = (column: number) => cells.filter((cell) => cell.column === column).map(({ text }) => text.text);
    expect(texts(0)).toEqual(['650100010', '650100020', last]);
    expect(texts(1)).toEqual(['가나정5mg', '다라정', '마바시럽']);
    expect(texts(3)).toEqual(['3', '3', '3']);
  });

  it('parts them piece by piece where the line as a whole shows no code', () => {
    const { cells } = splitCodeColumn(
      readTable([
        [read('650100010', '가나정5mg', '650100010 가나정5mg'), '1'],
        [read('650100020', '다라정', '6501(0020다라정'), '2'],
        [read('650100030', '마바시럽', '650100030 마바시럽'), '3'],
      ]),
    );
    expect(cells.filter(({ row }) => row === 1).map(({ text }) => text.text)).toEqual(['650100020', '다라정', '2']);
  });

  it('leaves a name in its column where the code before it was not read', () => {
    const { cells } = splitCodeColumn(
      readTable([
        ['650100010 가나정5mg', '1', '3'],
        ['다라정', '1', '3'],
        ['650100030 마바시럽', '1', '3'],
        ['650100040 사아정', '1', '3'],
        ['주사제 처방내역', '', ''],
      ]),
    );
    const shown = (row: number) =>
      cells
        .filter((cell) => cell.row === row && !cell.blank)
        .map(({ column, columnSpan, text }) => [column, columnSpan, text.text]);
    expect(shown(1)).toEqual([
      [1, 1, '다라정'],
      [2, 1, '1'],
      [3, 1, '3'],
    ]);
    expect(shown(4)).toEqual([[0, 2, '주사제 처방내역']]);
  });

  it.each([
    ['above', ['650100010', '가나정5mg', '(가나다염산염)']],
    ['below', ['가나정5mg', '(가나다염산염)', '(650100010)']],
  ])('splits a code in a separate line %s the name, also of a single cell', (_, lines) => {
    const table = readTable([
      ['약품명/코드', '1회량'],
      [linedCell(lines), '1'],
    ]);
    const [code, name] = splitCodeColumn(table).cells.filter(({ row }) => row === 1);
    expect(code?.text.text).toBe('650100010');
    expect(name?.text.text).toBe('가나정5mg(가나다염산염)');
    expect(name?.lines).toHaveLength(2);
    // The name keeps the box of its cell: truncation is judged by the width of the column.
    expect(name?.box).toEqual(table.cells[2]!.box);
  });

  it('parts them in cells that reach over several columns of the grid, too', () => {
    const wide = (lines: readonly string[]): CellSpec => ({
      ...(linedCell(lines) as object),
      text: lines.join(''),
      columnSpan: 2,
    });
    const { cells, columnCount } = splitCodeColumn(
      readTable([
        [wide(['가나정5mg', '[650100010]']), null, '1'],
        [wide(['다라정', '[650100020]']), null, '2'],
      ]),
    );
    const places = cells.map(({ row, column, columnSpan, text }) => [row, column, columnSpan, text.text]);
    expect(columnCount).toBe(4);
    expect(places).toEqual([
      [0, 0, 1, '650100010'],
      [0, 1, 2, '가나정5mg'],
      [0, 3, 1, '1'],
      [1, 0, 1, '650100020'],
      [1, 1, 2, '다라정'],
      [1, 3, 1, '2'],
    ]);
  });

  it('leaves a column alone whose rows were cut between code and name', () => {
    const table = readTable([
      [linedCell(['650100010', '가나정5mg', '650100020']), '1'],
      [linedCell(['다라정', '650100030']), '1'],
      ['마바시럽', '1'],
    ]);
    expect(splitCodeColumn(table)).toBe(table);
  });

  it('leaves a name alone whose code is in a separate column, and was in its lines', () => {
    const name = { ...(linedCell(['650100010', '가나정5mg']) as object), text: '가나정5mg' };
    const table = readTable([['650100010', name, '1']]);
    expect(splitCodeColumn(table)).toBe(table);
  });

  it('leaves names alone whose codes are in a separate column, and are pieces of their lines', () => {
    const codes = ['650100010', '650100020', '650100030'];
    const table = readTable(codes.map((code) => [code, read(code, '가나정5mg', '가나정5mg'), '1']));
    expect(splitCodeColumn(table)).toBe(table);
  });

  it('leaves a cell alone that holds the codes of several drugs', () => {
    const table = readTable([[linedCell(['650100010', '가나정5mg', '650100020', '다라정']), '1']]);
    expect(splitCodeColumn(table)).toBe(table);
  });

  it('leaves a column of names alone, makers in brackets and numbers in them included', () => {
    const table = readTable(['(가나)다라정5mg', '(12)마바정', '사아시럽500mL'].map((text) => [text, '1', '3']));
    expect(splitCodeColumn(table)).toBe(table);
  });
});
