import { describe, expect, it } from 'vitest';
import {
  findHeaders,
  partHeaderWords,
} from '../../../../../functions/extraction/domain/interpret/headers/find-headers.ts';
import { listBelow } from '../../../../../functions/extraction/domain/interpret/lists/list-sections.ts';
import { printsOf } from '../../../../../functions/extraction/domain/interpret/print.ts';
import type { ReadCell, ReadTable } from '../../../../../functions/extraction/domain/reading/table-reader.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { readTable } from '../../../../helpers/page-reading.ts';

const template = findTemplate('default')!;

/** A table whose cells print several lines where their texts have line breaks. */
function ruledTable(rows: readonly (readonly string[])[]): ReadTable {
  const table = readTable(rows.map((row) => row.map((text) => text.replaceAll('\n', ''))));
  const linesIn = ({ row, column, box }: ReadCell) => {
    const texts = rows[row]![column]!.split('\n');
    const height = box.height / texts.length;
    return texts.map((text, n) => ({
      text,
      confidence: 1,
      numeral: /^\d/.test(text) ? { text, confidence: 1 } : null,
      box: { ...box, y: box.y + n * height + 0.1 * height, height: 0.8 * height },
    }));
  };
  return { ...table, cells: table.cells.map((cell) => (cell.blank ? cell : { ...cell, lines: linesIn(cell) })) };
}

/** Code, name and what else the rows of the list below the table's header print. */
function listOf(
  rows: readonly (readonly string[])[],
  table: ReadTable = ruledTable(rows),
): readonly (readonly string[])[] {
  const prints = printsOf({ tables: [table], texts: [] });
  const [header] = findHeaders(partHeaderWords(prints, template), template);
  const list = listBelow(header!, prints, Number.POSITIVE_INFINITY, () => true)!;
  return Array.from({ length: list.rowCount - 1 }, (_, row) =>
    list.cells.filter((cell) => cell.row === row + 1 && !cell.blank).map(({ text }) => text.text),
  );
}

describe('a row of a ruled form', () => {
  const header = ['코드', '약품명', '1회량', '횟수', '일수'];

  it('holds all lines of a name that wraps, though its code is level with the second', () => {
    expect(
      listOf([
        header,
        ['640500010', '가온정5밀리그램(가나다\n라마바염산염)', '1', '3', '7'],
        ['653100230', '나래캡슐200mg', '2', '2', '5'],
      ]),
    ).toEqual([
      ['640500010', '가온정5밀리그램(가나다라마바염산염)', '1', '3', '7'],
      ['653100230', '나래캡슐200mg', '2', '2', '5'],
    ]);
  });

  it('has its code before the name, though the code is in a column behind it', () => {
    expect(
      listOf([
        ['약품명', '보험코드', '1회량', '횟수', '일수'],
        ['가온정5밀리그램(', '640500010', '1', '3', '7'],
        ['나래캡슐200mg', '653100230', '2', '2', '5'],
      ])[0],
    ).toEqual(['640500010', '가온정5밀리그램(', '1', '3', '7']);
  });

  it('is one drug’s though a rule in the directions alone cuts it', () => {
    const rows = [
      [...header, '용법'],
      ['640500010', '가온정5밀리그램(가나다\n라마바염산염)', '1', '3', '7', '식후 30분'],
      ['', '', '', '', '', '조제시'],
      ['653100230', '나래캡슐200mg', '2', '2', '5', ''],
    ];
    const table = ruledTable(rows);
    const cells = table.cells
      .filter(({ row, column }) => row !== 2 || column === 5)
      .map((cell) => {
        if (cell.row !== 1 || cell.column === 5) return cell;
        const box = { ...cell.box, height: 2 * cell.box.height };
        const lines = cell.lines!.map((line, n) => ({ ...line, box: { ...line.box, y: line.box.y + n * 4 } }));
        return { ...cell, rowSpan: 2, box, lines };
      });
    expect(listOf(rows, { ...table, cells })).toContainEqual([
      '640500010',
      '가온정5밀리그램(가나다라마바염산염)',
      '1',
      '3',
      '7',
      '식후 30분',
    ]);
  });

  it('holds no title of a section that is printed in the cell of its first or last name', () => {
    expect(
      listOf([
        ['처방의약품의 명칭', '1회투약량', '1일투여횟수', '총투약일수'],
        ['<내복약>\n(640500010)가온정5밀리그램', '1', '3', '7'],
        ['(653100230)나래캡슐200mg\n<외용약>', '2', '2', '5'],
      ]).map((cells) => cells.slice(0, 2)),
    ).toEqual([
      ['640500010', '가온정5밀리그램'],
      ['653100230', '나래캡슐200mg'],
    ]);
  });

  it('is two drugs’ where it holds two codes', () => {
    expect(
      listOf([header, ['640500010\n653100230', '가온정5밀리그램\n나래캡슐200mg', '1\n2', '3\n2', '7\n5']]),
    ).toEqual([
      ['640500010', '가온정5밀리그램', '1', '3', '7'],
      ['653100230', '나래캡슐200mg', '2', '2', '5'],
    ]);
  });

  it('does not make the first numbers doubtful where digits of a column behind them end in line', () => {
    const rows = [
      ['약품명', '1회량', '횟수', '일수', '보험코드'],
      ['가온정5밀리그램', '1', '3', '7', '640500010'],
      ['나래캡슐200mg', '2', '2', '5', '653100230'],
    ];
    const prints = printsOf({ tables: [ruledTable(rows)], texts: [] });
    const [found] = findHeaders(partHeaderWords(prints, template), template);
    const list = listBelow(found!, prints, Number.POSITIVE_INFINITY, () => true)!;
    const doses = list.cells.filter(({ row, text }) => row > 0 && ['1', '2'].includes(text.text));
    expect(doses.map(({ text }) => text.confidence)).not.toContain(0.5);
  });
});
