import { describe, expect, it } from 'vitest';
import type { Raster } from '../../../../../../functions/extraction/domain/reading/raster.ts';
import { atEvenSpaces } from '../../../../../../functions/extraction/domain/reading/structure/rules/evenly-spaced-rules.ts';

const LETTER_HEIGHT = 10;
const WIDTH = 300;
const HEIGHT = 240;

function traced(y: number, from = 20, to = 280) {
  return { from, to, at: y, slope: 0, thickness: 1, path: new Float64Array(to - from).fill(y) };
}

/** White paper with a gray line at every height. */
function paperWith(heights: readonly number[]): Raster {
  const pixels = new Uint8Array(WIDTH * HEIGHT).fill(255);
  for (const y of heights) pixels.fill(120, y * WIDTH + 20, y * WIDTH + 280);
  return { width: WIDTH, height: HEIGHT, pixels };
}

const RULES = [20, 50, 80, 140, 170].map((y) => traced(y));

describe('a line where the next rule of evenly spaced rows has to be', () => {
  it('is one where it is seen on the page', () => {
    const flat = paperWith([20, 50, 80, 110, 140, 170]);
    expect(atEvenSpaces([traced(110), traced(95)], RULES, flat, LETTER_HEIGHT).map(({ at }) => at)).toEqual([110]);
  });

  it('is one of a list though rules that begin and end elsewhere lie between', () => {
    const flat = paperWith([20, 50, 80, 110, 140, 170]);
    const others = [36, 67, 99, 131, 159].map((y) => traced(y, 60, 290));
    expect(atEvenSpaces([traced(110)], [...RULES, ...others], flat, LETTER_HEIGHT)).toHaveLength(1);
  });

  it('is absent if the page shows nothing along it, as in a row of two lines', () => {
    const flat = paperWith([20, 50, 80, 140, 170]);
    expect(atEvenSpaces([traced(110)], RULES, flat, LETTER_HEIGHT)).toEqual([]);
  });

  it('ends where the rules above and below it do', () => {
    const flat = paperWith([20, 50, 80, 110, 140, 170]);
    const [line] = atEvenSpaces([traced(110, 0, 300)], RULES, flat, LETTER_HEIGHT);
    expect(line).toMatchObject({ from: 20, to: 280 });
    expect(line!.path).toHaveLength(260);
  });

  it('is absent on a page whose rows are unevenly spaced', () => {
    const flat = paperWith([20, 41, 80, 110, 140, 190]);
    const rules = [20, 41, 80, 140, 190].map((y) => traced(y));
    expect(atEvenSpaces([traced(110)], rules, flat, LETTER_HEIGHT)).toEqual([]);
  });
});
