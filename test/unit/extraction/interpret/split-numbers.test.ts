import { describe, expect, it } from 'vitest';
import { isSplitBetween } from '../../../../functions/extraction/domain/interpret/split-numbers.ts';
import type { ReadCell } from '../../../../functions/extraction/domain/reading/table-reader.ts';

describe('isSplitBetween', () => {
  it.each([
    ['digits', '1', 4],
    ['a digit behind the end of a name', '가나시럽100mL(다라1', 3],
    ['a digit behind a blank', '가나시럽 1', 4],
  ])('knows a number by %s that its own digits follow beyond a border', (_, text, gap) => {
    expect(isSplitBetween(cell(text, 300), cell('5.0000', 300 + gap))).toBe(true);
  });

  it.each([
    ['stand apart', '가나시럽100mL(다라1', 12],
    ['are of a strength', '가나정2.5', 3],
    ['end in letters', '가나정5mg', 3],
  ])('takes a number for whole beside print whose last signs %s', (_, text, gap) => {
    expect(isSplitBetween(cell(text, 300), cell('5.0000', 300 + gap))).toBe(false);
  });
});

/** One line that ends at 300, or begins where it is told to. */
function cell(text: string, at: number): ReadCell {
  const width = text.length * 8;
  const box = { x: at === 300 ? at - width : at, y: 10, width, height: 20 };
  const reading = { text, confidence: 1 };
  return {
    row: 0,
    column: 0,
    rowSpan: 1,
    columnSpan: 1,
    box,
    blank: false,
    text: reading,
    numeral: null,
    lines: [{ ...reading, numeral: null, box }],
  };
}
