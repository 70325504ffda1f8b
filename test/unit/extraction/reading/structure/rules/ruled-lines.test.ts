import { describe, expect, it } from 'vitest';
import type { Raster } from '../../../../../../functions/extraction/domain/reading/raster.ts';
import { findPrint } from '../../../../../../functions/extraction/domain/reading/structure/find-print.ts';
import { findTables } from '../../../../../../functions/extraction/domain/reading/structure/find-tables.ts';
import type { Layout } from '../../../../../../functions/extraction/domain/reading/structure/layout.ts';
import { fill, flatPicture, LETTER, letters } from '../../../../../helpers/draw.ts';

const [WIDTH, HEIGHT] = [900, 460];
const ROW_HEIGHT = 30;
const [TOP, LEFT, RIGHT] = [50, 50, 800];
const BORDERS = [LEFT, 280, 460, 620, RIGHT];

/** Letters of ten rows and four columns. */
function print(): Raster {
  const page = flatPicture(WIDTH, HEIGHT, 255);
  for (let row = 0; row < 10; row++)
    for (const [index, left] of [60, 300, 500, 660].entries())
      letters(page, left, TOP + 8 + row * ROW_HEIGHT, [10, 4, 3, 2][index]!);
  return page;
}

/** A layout whose rules are two pixels thick. */
function grid({ gapAt = -1, gap = 0 } = {}): Layout {
  const rows = flatPicture(WIDTH, HEIGHT, 0);
  const columns = flatPicture(WIDTH, HEIGHT, 0);
  for (let row = 0; row <= 10; row++) fill(rows, LEFT, TOP + row * ROW_HEIGHT, RIGHT - LEFT + 2, 2, 1);
  if (gapAt >= 0) fill(rows, gapAt, 0, gap, HEIGHT, 0);
  for (const x of BORDERS) fill(columns, x, TOP, 2, 10 * ROW_HEIGHT + 2, 1);
  return { rows: rows.pixels, columns: columns.pixels };
}

const found = (page: Raster, layout = grid()) => findTables(findPrint(page)!, layout)!;
const shapes = (page: Raster, layout = grid()) =>
  found(page, layout).tables.map(({ rowCount, columnCount }) => [rowCount, columnCount]);

describe('findTables by a layout', () => {
  it('takes the grid from the layout even if none of it is printed', () => {
    expect(shapes(print())).toEqual([[10, 4]]);
  });

  it('finds no grid where the layout has no rules', () => {
    const empty = new Uint8Array(WIDTH * HEIGHT);
    const page = print();
    for (let row = 0; row <= 10; row++) fill(page, LEFT, TOP + row * ROW_HEIGHT, RIGHT - LEFT, 2, 60);
    for (const x of BORDERS) fill(page, x, TOP, 2, 10 * ROW_HEIGHT, 60);
    expect(shapes(page, { rows: empty, columns: empty })).toEqual([]);
  });

  it('joins the pieces of a rule over less than two letters', () => {
    expect(shapes(print(), grid({ gapAt: 100, gap: 20 }))).toEqual([[10, 4]]);
  });

  it('takes out the ink of a rule that is thicker than the layout shows it, and dashes', () => {
    const page = print();
    for (let row = 0; row <= 10; row++)
      for (let x = LEFT; x < RIGHT; x += 12) fill(page, x, TOP + row * ROW_HEIGHT - 1, 7, 4, 60);
    const { components, clean } = found(page);
    expect(components).toHaveLength(10 * 19);
    expect(clean.pixels[(TOP + 1) * WIDTH + LEFT + 20]).toBe(255);
  });

  it('leaves letters whose feet are on a rule', () => {
    const page = print();
    for (let row = 0; row <= 10; row++) fill(page, LEFT, TOP + row * ROW_HEIGHT, RIGHT - LEFT, 2, 150);
    const top = TOP + 5 * ROW_HEIGHT - 4;
    letters(page, 720, top, 3);
    const { components } = found(page);
    const own = components.filter(({ left }) => left >= 715 && left < 800);
    expect(own).toHaveLength(3);
    for (const letter of own) expect(letter.bottom - letter.top).toBe(LETTER.height);
  });
});
