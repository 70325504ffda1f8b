import { describe, expect, it } from 'vitest';
import { isSplitBetween } from '../../../../functions/extraction/domain/interpret/split-numbers.ts';
import type { ReadCell } from '../../../../functions/extraction/domain/reading/table-reader.ts';

describe('isSplitBetween', () => {
  it.each([
    ['digits', '1', 4],
    ['a digit behind the end of a name', '가나시럽100mL(다라1', 3],
    ['a digit behind a blank', '가나시럽 1', 4],
  ])('knows a number by %s that its own digits follow beyond a border', (_, text, gap) => {
    expect(isSplitBetween(cellBefore(text), cellAfter('5.0000', gap))).toBe(true);
  });

  it.each([
    ['stand apart', '가나시럽100mL(다라1', 12],
    ['are of a strength', '가나정2.5', 3],
    ['end in letters', '가나정5mg', 3],
  ])('takes a number for whole beside print whose last signs %s', (_, text, gap) => {
    expect(isSplitBetween(cellBefore(text), cellAfter('5.0000', gap))).toBe(false);
  });
});

const BORDER = 300;
const LETTER_WIDTH = 8;

/** Its text ends at the border. */
function cellBefore(text: string): ReadCell {
  return cell(text, BORDER - text.length * LETTER_WIDTH);
}

/** Its text begins so many pixels beyond the border. */
function cellAfter(text: string, gap: number): ReadCell {
  return cell(text, BORDER + gap);
}

function cell(text: string, x: number): ReadCell {
  const box = { x, y: 10, width: text.length * LETTER_WIDTH, height: 20 };
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
