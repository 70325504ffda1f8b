import { describe, expect, it } from 'vitest';
import { interpretPage } from '../../../../../functions/extraction/domain/interpret/interpret-page.ts';
import { joinContinued } from '../../../../../functions/extraction/domain/interpret/lists/continued-tables.ts';
import type { ReadTable } from '../../../../../functions/extraction/domain/reading/table-reader.ts';
import { findTemplate } from '../../../../../functions/extraction/domain/templates.ts';
import { pageReading, readTable } from '../../../../helpers/page-reading.ts';
import { drugLinesOf } from '../../../../helpers/printed-form.ts';

const template = findTemplate('default')!;
const BORDERS = [0, 400, 480, 560];
const HEADER = ['처방의약품의 명칭 및 코드', '1회투약량', '1일투여횟수', '총투약일수'];

/** Rows of 20 pixels in columns that start at `borders`. */
function table(rows: readonly (readonly string[])[], top: number, borders: readonly number[] = BORDERS): ReadTable {
  const read = readTable(rows);
  const cells = read.cells.map((cell) => {
    const [x, end] = [borders[cell.column]!, borders[cell.column + 1] ?? 640];
    return { ...cell, box: { x, y: top + 20 * cell.row, width: end - x, height: 20 } };
  });
  return { ...read, cells, box: { x: borders[0]!, y: top, width: 640, height: 20 * rows.length } };
}

const list = table([HEADER, ['645501290 가온정5mg', '1', '3', '7'], ['*** 이하여백 ***', '', '', '']], 100);
const injections = [['071602520 나래주사액1mL', '1', '1', '2']];
const title = { text: '주사제 처방내역 (원내조제□)', confidence: 0.9, box: { x: 100, y: 164, width: 300, height: 16 } };

describe('a list that a form parts', () => {
  it('continues in the same columns below the title of the next part', () => {
    const page = interpretPage(
      { ...pageReading([list, table(injections, 184, [-12, 394, 475, 556])]), texts: [title] },
      template,
    );
    expect(drugLinesOf(page)).toEqual([
      ['645501290', '가온정5mg', 1, 7],
      ['071602520', '나래주사액1mL', 1, 2],
    ]);
  });

  it('comes after the list on its left, which only its two parts together match in height', () => {
    const right = BORDERS.map((x) => x + 700);
    const begun = table([HEADER, ['645501290 가온정5mg', '1', '3', '7'], ['', '', '', '']], 40, right);
    const beside = table([HEADER, ['653100230 다솜캡슐', '2', '3', '5'], ...new Array(8).fill(['', '', '', ''])], 90);
    const rest = [...injections, ...new Array(4).fill(['', '', '', ''])];
    const page = interpretPage(pageReading([begun, beside, table(rest, 104, right)]), template);
    expect(drugLinesOf(page)!.map(([code]) => code)).toEqual(['653100230', '645501290', '071602520']);
  });

  it.each([
    ['in other columns', table(injections, 184, [0, 300, 420, 520])],
    ['far below', table(injections, 260)],
    ['without a code in its first rows', table([['나래주사액1mL', '1', '1', '2']], 184)],
  ])('ends above a table %s', (_, below) => {
    expect(joinContinued([list, below], [title])).toEqual([list, below]);
  });
});
