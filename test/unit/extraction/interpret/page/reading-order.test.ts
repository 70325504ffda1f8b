import { describe, expect, it } from 'vitest';
import { inReadingOrder } from '../../../../../functions/extraction/domain/interpret/page/reading-order.ts';

function table(name: string, x: number, y: number, width = 400, height = 300) {
  return { name, box: { x, y, width, height } };
}

function order(...tables: readonly ReturnType<typeof table>[]) {
  return inReadingOrder(tables).map(({ name }) => name);
}

describe('tables of a page', () => {
  it('are read from left to right where they stand side by side, though the right one begins a little higher', () => {
    expect(order(table('right', 500, 90), table('left', 0, 100))).toEqual(['left', 'right']);
    expect(order(table('right', 500, 90, 400, 200), table('left', 0, 100), table('below', 100, 500))).toEqual([
      'left',
      'right',
      'below',
    ]);
  });

  it('are read from top to bottom where they are not', () => {
    expect(order(table('above', 500, 0), table('below', 0, 250))).toEqual(['above', 'below']);
    expect(order(table('above', 100, 0), table('within', 0, 50))).toEqual(['above', 'within']);
  });
});
