import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ItemValues } from '../../../bench/corpus/truth.ts';
import { alignRows } from '../../../bench/scoring/align-rows.ts';
import { line } from './lines.ts';

const sheet = [
  line({ drugCode: '641600170', drugName: '가나정5mg', quantity: 3 }),
  line({ drugCode: '073400340', drugName: '다라캡슐', quantity: 12 }),
  line({ drugCode: '655501230', drugName: '마바시럽', quantity: 40 }),
];

describe('alignRows', () => {
  it('pairs an answer without mistakes row by row', () => {
    expect(alignRows(sheet, sheet)).toEqual([0, 1, 2].map((i) => ({ row: i, item: i })));
  });

  it('names the row that is missing from the answer', () => {
    expect(alignRows(sheet, [sheet[0]!, sheet[2]!])).toEqual([
      { row: 0, item: 0 },
      { row: 1, item: null },
      { row: 2, item: 1 },
    ]);
  });

  it('names the line that the sheet does not have', () => {
    const extra = line({ drugName: '합계', totalAmount: 99 });
    expect(alignRows(sheet, [...sheet, extra]).at(-1)).toEqual({ row: null, item: 3 });
  });

  it('still pairs a row whose code and name were misread, by its place', () => {
    const misread = line({ drugCode: '888888888', drugName: '???', quantity: 7 });
    expect(alignRows(sheet, [sheet[0]!, misread, sheet[2]!])[1]).toEqual({ row: 1, item: 1 });
  });

  it('follows the code when numbers of neighbours are mixed up', () => {
    const swapped = [sheet[0]!, { ...sheet[1]!, quantity: 40 }, { ...sheet[2]!, quantity: 12 }];
    expect(alignRows(sheet, swapped).map(({ item }) => item)).toEqual([0, 1, 2]);
  });

  it('uses every row and every line exactly once, in order', () => {
    const anyLine = fc
      .record({
        drugCode: fc.option(fc.stringMatching(/^\d{1,9}$/)),
        drugName: fc.option(fc.string({ maxLength: 8 })),
        quantity: fc.option(fc.nat(9)),
      })
      .map((values): ItemValues => line(values));
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 6 }), fc.array(anyLine, { maxLength: 6 }), (rows, items) => {
        const pairs = alignRows(rows, items);
        expect(pairs.map(({ row }) => row).filter((row) => row !== null)).toEqual(rows.map((_, i) => i));
        expect(pairs.map(({ item }) => item).filter((item) => item !== null)).toEqual(items.map((_, i) => i));
      }),
    );
  });
});
