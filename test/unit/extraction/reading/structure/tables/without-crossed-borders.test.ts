import { describe, expect, it } from 'vitest';
import { buildGrid, undrawn } from '../../../../../../functions/extraction/domain/reading/structure/tables/grid.ts';
import { withoutCrossedBorders } from '../../../../../../functions/extraction/domain/reading/structure/tables/without-crossed-borders.ts';
import type { Words } from '../../../../../../functions/extraction/domain/reading/structure/tables/words.ts';

const LETTER_HEIGHT = 20;
const ROW = 40;
const grid = buildGrid(
  [0, 1, 2, 3].map((row) => undrawn(row * ROW)),
  [0, 100, 400, 500].map((at) => undrawn(at)),
  'ruled',
);
const word = (row: number, left: number, right: number) => ({
  left,
  right,
  top: row * ROW + 10,
  bottom: row * ROW + 10 + LETTER_HEIGHT,
});
/** Columns that each cell of a row takes, row by row. */
const spans = (...words: ReturnType<typeof word>[]) => spansOf({ close: words, tight: words });
const spansOf = (words: Words) =>
  [0, 1, 2].map((row) =>
    withoutCrossedBorders(grid, words, LETTER_HEIGHT)
      .cells.filter((cell) => cell.row === row)
      .map(({ columnSpan, right }) => [columnSpan, right]),
  );

const PARTED = [
  [1, 100],
  [1, 400],
  [1, 500],
];
const JOINED = [
  [2, 400],
  [1, 500],
];

describe('a border that print runs through', () => {
  it('parts no cells of the rows in which it does, where no row has print on both sides of it', () => {
    expect(spans(word(0, 200, 300), word(1, 20, 160), word(2, 20, 150), word(2, 200, 300))).toEqual([
      PARTED,
      JOINED,
      JOINED,
    ]);
  });

  it.each([
    ['where one row alone crosses it', [word(1, 20, 160)]],
    ['if a header lies on both sides', [word(0, 20, 80), word(0, 200, 300), word(1, 20, 160), word(2, 20, 150)]],
    ['where words reach over it a little', [word(1, 20, 110), word(2, 20, 110)]],
  ])('stays %s', (_, words) => {
    expect(spans(...words)).toEqual([PARTED, PARTED, PARTED]);
  });

  it('stays if there is white next to it on every row: numbers of two narrow columns are as close as letters', () => {
    const close = [1, 2].map((row) => word(row, 60, 190));
    const tight = [1, 2].flatMap((row) => [word(row, 60, 96), word(row, 104, 190)]);
    expect(spansOf({ close, tight })).toEqual([PARTED, PARTED, PARTED]);
  });
});
