import { expect, it } from 'vitest';
import { withLoneOnes } from '../../../../../functions/extraction/domain/interpret/numbers/lone-ones.ts';
import type { Box, ReadTable } from '../../../../../functions/extraction/domain/reading/table-reader.ts';
import { readTable } from '../../../../helpers/page-reading.ts';

/** Next to a dose, a cell with one unread stroke of this box. */
function rowWith(stroke: Box): ReadTable {
  const { cells, ...table } = readTable([['5', { text: '', blank: false, numeral: null, confidence: 0 }]]);
  const boxes = [{ x: 40, y: 10, width: 16, height: 20 }, stroke];
  const placed = cells.map((cell, column) => ({
    ...cell,
    box: { x: 100 * column, y: 0, width: 100, height: 40 },
    lines: [{ ...cell.text, numeral: cell.numeral, box: boxes[column]! }],
  }));
  return { ...table, cells: placed };
}

const numberOf = (stroke: Box) => withLoneOnes(rowWith(stroke)).cells[1]!.numeral?.text ?? null;

it('an unread stroke as high as the digits of its row and level with them is a 1, not surely read', () => {
  const [, one] = withLoneOnes(rowWith({ x: 150, y: 11, width: 4, height: 19 })).cells;
  expect(one).toMatchObject({ text: { text: '1' }, numeral: { text: '1' } });
  expect(one!.text.confidence).toBeLessThan(0.5);
});

it.each([
  ['wider', { x: 150, y: 11, width: 12, height: 19 }],
  ['lower', { x: 150, y: 20, width: 4, height: 19 }],
  ['shorter', { x: 150, y: 16, width: 4, height: 8 }],
  ['at the border of its cell', { x: 102, y: 11, width: 4, height: 19 }],
])('a stroke is not a 1 if it is %s', (_, stroke) => {
  expect(numberOf(stroke)).toBeNull();
});
