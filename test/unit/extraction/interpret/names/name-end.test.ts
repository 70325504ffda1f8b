import { describe, expect, it } from 'vitest';
import {
  endsBeforeOthers,
  goesOnIn,
  nameEndOf,
} from '../../../../../functions/extraction/domain/interpret/names/name-end.ts';
import type { ReadCell } from '../../../../../functions/extraction/domain/reading/table-reader.ts';

function cellOf(text: string, x: number, column: number): ReadCell {
  const box = { x, y: 10, width: text.length * 10, height: 16 };
  const read = { text, confidence: 0.99 };
  const lines = [{ ...read, numeral: null, box }];
  return { row: 1, column, rowSpan: 1, columnSpan: 1, box, text: read, numeral: null, blank: false, lines };
}

describe('a name', () => {
  const name = cellOf('가온정(나래삼수', 20, 1);

  it('continues in the next cell if that starts with adjacent letters', () => {
    expect(goesOnIn(name, cellOf('화물)', 108, 2))).toBe(true);
  });

  it('ends before a wide blank, before numbers and before nothing', () => {
    expect(goesOnIn(name, cellOf('화물)', 125, 2))).toBe(false);
    expect(goesOnIn(name, cellOf('100정', 108, 2))).toBe(false);
    expect(goesOnIn(name, undefined)).toBe(false);
  });

  it('of several lines has room behind the last where another reaches further by a letter', () => {
    const lined = (widths: readonly number[]): ReadCell => ({
      ...name,
      lines: widths.map((width, index) => ({
        ...name.lines![0]!,
        box: { x: 20, y: 10 + 20 * index, width, height: 16 },
      })),
    });
    expect(endsBeforeOthers(lined([200, 120]))).toBe(true);
    expect(endsBeforeOthers(lined([200, 190]))).toBe(false);
    expect(endsBeforeOthers(lined([120]))).toBe(false);
    expect(endsBeforeOthers(undefined)).toBe(false);
  });

  it('has a clear end where nothing was read behind it and no seal is over its line, however surely that is read', () => {
    const crossed = { ...name, lines: name.lines!.map((line) => ({ ...line, crossed: true })) };
    expect(nameEndOf(name, false)).toMatchObject({ isClear: true });
    expect(nameEndOf(name, true)).toMatchObject({ isClear: false });
    expect(nameEndOf(crossed, false)).toMatchObject({ isClear: false });
  });
});
