import { describe, expect, it } from 'vitest';
import { dosesInNames } from '../../../../../functions/extraction/domain/interpret/columns/doses-in-names.ts';
import { readTable } from '../../../../helpers/page-reading.ts';

/** @returns what each row shows then as name and dose; null for one that stays as it is. */
function shown(rows: readonly (readonly [name: string, dose: string])[]) {
  const { cells } = readTable(rows);
  const cellAt = (row: number, column: number) => cells.find((cell) => cell.row === row && cell.column === column)!;
  const pairs = rows.map((_, row) => [row, { drugName: cellAt(row, 0), quantity: cellAt(row, 1) }] as const);
  const found = dosesInNames(new Map(pairs));
  return rows.map((_, row) => {
    const cell = found.get(row);
    return cell ? [cell.drugName.text.text, cell.quantity.text.text] : null;
  });
}

describe('dosesInNames', () => {
  it("puts a dose together whose digits its column's border leaves with the name", () => {
    expect(
      shown([
        ['가나서방캡슐400밀리 1', '캅셀'],
        ['다라정650밀리그램0', '3333 정'],
        ['마바정25마이0.5', ''],
        ['사아캡슐 1', '.5'],
        ['자차정0.', '75'],
      ]),
    ).toEqual([
      ['가나서방캡슐400밀리', '1캅셀'],
      ['다라정650밀리그램', '0.3333 정'],
      ['마바정25마이', '0.5'],
      ['사아캡슐', '1.5'],
      ['자차정', '0.75'],
    ]);
  });

  it('needs one row if a fraction precedes a unit, and two elsewhere', () => {
    expect(
      shown([
        ['가나정 15mg ( 0.75', '정'],
        ['다라정 20mg', '1'],
      ]),
    ).toEqual([['가나정 15mg (', '0.75정'], null]);
    expect(
      shown([
        ['가나정 15mg 2', '정'],
        ['다라정 20mg', '1'],
      ]),
    ).toEqual([null, null]);
    expect(
      shown([
        ['가나현탁액0.', '2병'],
        ['다라점안액0.', '1관'],
      ]),
    ).toEqual([null, null]);
  });

  it('doubts it', () => {
    const { cells } = readTable([
      ['가나캡슐 1', '정'],
      ['다라캡슐 2', '정'],
    ]);
    const rows = new Map([0, 1].map((row) => [row, { drugName: cells[2 * row]!, quantity: cells[2 * row + 1]! }]));
    expect(dosesInNames(rows).get(0)!.quantity.text.confidence).toBeLessThan(0.5);
  });

  it.each<[string, readonly [string, string]]>([
    ['has a separate dose', ['가나정 1', '2']],
    ['ends in a pack', ['가나정5밀리그램/1', '정']],
    ['ends in a strength of several', ['가나정(5/80', '정']],
    ['ends in no digit', ['가나정', '정']],
    ['shows the code of a remark', ['JT013', '']],
    ['is next to 0.75 without its point', ['가나정0.', '075']],
  ])('leaves a row that %s', (_, row) => {
    expect(shown([['다라캡슐 1', '정'], ['마바캡슐 1', '정'], row])[2]).toBeNull();
  });

  it('leaves the digits of names where more doses lack theirs than names end in some', () => {
    const rows = ['가나정500', '다라캡슐20', '마바시럽', '사아정', '자차정'].map((name) => [name, '.0000'] as const);
    expect(shown(rows)).toEqual(rows.map(() => null));
  });

  it('leaves a single row: a name may end in a number', () => {
    expect(
      shown([
        ['가나정 1', '정'],
        ['다라정', '1정'],
      ]),
    ).toEqual([null, null]);
  });
});
