import { describe, expect, it } from 'vitest';
import { undrawn } from '../../../../../../functions/extraction/domain/reading/structure/tables/grid.ts';
import { splitTallBands } from '../../../../../../functions/extraction/domain/reading/structure/tables/tall-bands.ts';
import type { Word } from '../../../../../../functions/extraction/domain/reading/structure/tables/words.ts';

const LETTER = 20;
const COLUMNS = [0, 400, 480, 560, 640, 900].map((at) => undrawn(at));
/** A header's row, and a tall one below it. */
const ROWS = [0, 70, 400].map((at) => undrawn(at));

const word = (left: number, right: number, top: number): Word => ({ left, right, top, bottom: top + LETTER });
const name = (top: number) => word(10, 300, top);
const numbers = (top: number) => [word(430, 450, top), word(510, 530, top), word(590, 610, top)];
const row = (top: number) => [name(top), ...numbers(top)];
const code = (top: number) => word(30, 180, top);

function bordersOf(...words: readonly Word[]): readonly number[] {
  return splitTallBands(ROWS, COLUMNS, words, LETTER)
    .map(({ at }) => at)
    .filter((at) => at > 70 && at < 400);
}

describe('splitTallBands', () => {
  it('splits rows half way between their lines', () => {
    expect(bordersOf(...row(100), ...row(160), ...row(220))).toEqual([140, 200]);
  });

  it('keeps one row whose wrapped lines stand alone in their column', () => {
    expect(bordersOf(...row(100), name(130))).toEqual([]);
  });

  it('gives the code below each name to the row of its name, however near it is to the next', () => {
    const [first, second] = bordersOf(...row(100), code(132), ...row(160), code(192), ...row(220), code(252));
    expect(first).toBe(156);
    expect(second).toBe(216);
  });

  it('gives the line above each name to the row of its name', () => {
    const [first, second] = bordersOf(code(80), ...row(108), code(140), ...row(168), code(200), ...row(228));
    expect(first).toBe(134);
    expect(second).toBe(194);
  });

  it('asks which row the lines are closer to if they are above the first and below the last', () => {
    const inside = [code(126), ...row(160), code(186), ...row(220)];
    expect(bordersOf(code(80), ...row(100), ...inside, code(246))).toEqual([153, 213]);
  });

  it('decides by the column whose lines are in the way, not by remarks at other heights', () => {
    const remark = (top: number) => word(660, 800, top);
    const rows = [...row(100), code(132), ...row(160), code(192), ...row(220), code(252)];
    expect(bordersOf(...rows, remark(84), remark(134))).toEqual([156, 216]);
  });
});
