import { describe, expect, it } from 'vitest';
import { inReadingOrder } from '../../../../../functions/extraction/domain/interpret/page/reading-order.ts';

function table(name: string, x: number, y: number, width = 400, height = 300) {
  const [row, column] = [1, 0];
  const box = { x, y: y + 40, width: 200, height: 20 };
  const code = {
    row,
    column,
    rowSpan: 1,
    columnSpan: 1,
    box,
    blank: false,
    text: { text: name, confidence: 1 },
    numeral: null,
  };
  return {
    name,
    box: { x, y, width, height },
    cells: [code, { ...code, row: 2, blank: true, box: { ...box, width } }],
  };
}

function order(...tables: readonly ReturnType<typeof table>[]) {
  return inReadingOrder(tables).map(({ name }) => name);
}

describe('tables of a page', () => {
  it('are read from left to right if they are side by side, though the right one starts a little higher', () => {
    expect(order(table('right', 500, 90), table('left', 0, 100))).toEqual(['left', 'right']);
    // Of one line and its header, which start half a line higher.
    expect(order(table('right', 500, 70, 400, 50), table('left', 0, 95))).toEqual(['left', 'right']);
    expect(order(table('right', 500, 90, 400, 200), table('left', 0, 100), table('below', 100, 500))).toEqual([
      'left',
      'right',
      'below',
    ]);
  });

  it('are read from left to right though the left one takes in numbers of the right one', () => {
    expect(order(table('right', 500, 90), table('left', 0, 100, 900))).toEqual(['left', 'right']);
  });

  it('are read from top to bottom where they are not', () => {
    expect(order(table('above', 500, 0), table('below', 0, 250))).toEqual(['above', 'below']);
    expect(order(table('above', 100, 0), table('within', 0, 50))).toEqual(['above', 'within']);
  });
});
