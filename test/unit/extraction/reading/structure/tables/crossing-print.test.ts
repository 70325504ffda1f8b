import { describe, expect, it } from 'vitest';
import { withCrossingPrint } from '../../../../../../functions/extraction/domain/reading/structure/tables/crossing-print.ts';
import { buildGrid, undrawn } from '../../../../../../functions/extraction/domain/reading/structure/tables/grid.ts';

const LETTER_HEIGHT = 20;
const grid = buildGrid(
  [0, 40, 80].map((at) => undrawn(at)),
  [0, 200, 300, 400].map((at) => undrawn(at)),
);
const word = (left: number, right: number, top = 50) => ({ left, right, top, bottom: top + LETTER_HEIGHT });

/** Borders between the three cells of the second row. */
function borders(...words: ReturnType<typeof word>[]): readonly number[] {
  const { cells } = withCrossingPrint(grid, { close: words, tight: words }, LETTER_HEIGHT);
  const row = cells.filter((cell) => cell.row === 1);
  expect(cells.filter((cell) => cell.row === 0).map(({ right }) => right)).toEqual([200, 300, 400]);
  expect(row.slice(1).map(({ left }) => left)).toEqual(row.slice(0, -1).map(({ right }) => right));
  return row.slice(0, -1).map(({ right }) => right);
}

describe('print that crosses the border of two columns', () => {
  it.each([
    ['goes to the column with its larger part', [word(20, 150), word(190, 250)], [189, 300]],
    ['goes so in whole where the rule has taken a letter', [word(20, 194), word(206, 212), word(230, 280)], [213, 300]],
    ['moves no border between words away from it', [word(20, 188), word(206, 212), word(230, 280)], [200, 300]],
    ['goes so to the left as well', [word(230, 315), word(350, 360)], [200, 316]],
    ['moves no border where it is all that both cells hold: two numbers close to it', [word(260, 330)], [200, 300]],
    ['goes with the number that it is the unit of', [word(220, 284), word(292, 312), word(340, 350)], [200, 313]],
    [
      'goes with the number behind it, if that is the near one',
      [word(220, 240), word(288, 308), word(320, 350)],
      [200, 287],
    ],
    [
      'moves no border of a header, whose other line keeps to its column',
      [word(260, 320, 59), word(230, 270, 41)],
      [200, 300],
    ],
    ['moves no border where it reaches far into both', [word(150, 250)], [200, 300]],
    ['moves no border where it hardly reaches over it', [word(198, 260)], [200, 300]],
    ['moves no border through another line', [word(190, 250, 41), word(120, 195, 59)], [200, 300]],
  ])('%s', (_, words, expected) => {
    expect(borders(...words)).toEqual(expected);
  });
});

describe('a name so near to its dose that both are one word where narrow blanks part words', () => {
  it('leaves the border between the two where it is', () => {
    const close = [word(20, 232), word(250, 270)];
    const tight = [word(20, 185), word(199, 232), word(250, 270)];
    const { cells } = withCrossingPrint(grid, { close, tight }, LETTER_HEIGHT);
    expect(cells.filter(({ row }) => row === 1).map(({ right }) => right)).toEqual([200, 300, 400]);
  });
});
