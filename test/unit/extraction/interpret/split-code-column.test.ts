import { describe, expect, it } from 'vitest';
import { splitCodeColumn } from '../../../../functions/extraction/domain/interpret/split-code-column.ts';
import { readTable } from '../../../helpers/page-reading.ts';

describe('splitCodeColumn', () => {
  it.each([
    ['right before the name', ['650100010가나정5mg', '650100020다라정', '650100030마바시럽']],
    ['in brackets', ['(650100010)가나정5mg', '[650100020] 다라정', '(650100030)마바시럽']],
    ['behind a serial number', ['1 650100010 가나정5mg', '2 650100020 다라정', '3 650100030 마바시럽']],
  ])('parts codes %s', (_, printed) => {
    const { columnCount, cells } = splitCodeColumn(readTable(printed.map((text) => [text, '1', '3'])));
    expect(columnCount).toBe(4);
    const texts = (column: number) => cells.filter((cell) => cell.column === column).map(({ text }) => text.text);
    expect(texts(0)).toEqual(['650100010', '650100020', '650100030']);
    expect(texts(1)).toEqual(['가나정5mg', '다라정', '마바시럽']);
    expect(texts(3)).toEqual(['3', '3', '3']);
  });

  it('leaves a column of names alone, makers in brackets and numbers in them included', () => {
    const table = readTable(['(가나)다라정5mg', '(12)마바정', '사아시럽500mL'].map((text) => [text, '1', '3']));
    expect(splitCodeColumn(table)).toBe(table);
  });
});
