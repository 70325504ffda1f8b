import { describe, expect, it } from 'vitest';
import { preparePage } from '../../../../../functions/extraction/domain/reading/page/prepare-page.ts';
import { grainOf, smoothGrain } from '../../../../../functions/extraction/domain/reading/page/smooth-grain.ts';
import type { Raster } from '../../../../../functions/extraction/domain/reading/raster.ts';
import { fill, flatPicture, letters, withNoise } from '../../../../helpers/draw.ts';
import { drawnLayouts, drawnStructure } from '../../../../helpers/drawn-layout.ts';

/** A form in a dim room: gray paper, rules two pixels thick, a word of six letters in each cell. */
const ROWS = 16;
const COLUMNS = 4;
const page = flatPicture(800, 1000, 140);
for (let row = 0; row <= ROWS; row++) fill(page, 60, 80 + 50 * row, 680, 2, 60);
for (let column = 0; column <= COLUMNS; column++) fill(page, 60 + 170 * column, 80, 2, 50 * ROWS, 60);
for (let row = 0; row < ROWS; row++)
  for (let column = 0; column < COLUMNS; column++) letters(page, 90 + 170 * column, 98 + 50 * row, 6, 40);
const grainy = withNoise(page, 45);

const recogniser = {
  recognise: (lines: readonly Raster[]) =>
    Promise.resolve(
      lines.map(() => ({ text: { text: 'abcdef', confidence: 0.9 }, numeral: { text: '', confidence: 0 } })),
    ),
};

describe('smoothGrain', () => {
  it('leaves a page without strong grain as it is', () => {
    for (const plain of [page, withNoise(page, 10), flatPicture(5, 5, 0)]) expect(smoothGrain(plain)).toBe(plain);
  });

  it('leaves as little as is allowed', () => {
    const slight = withNoise(page, 10);
    expect(grainOf(smoothGrain(slight, 0.02))).toBeLessThan(0.5 * grainOf(slight));
  });

  it('evens out paper and keeps the edges of print', () => {
    const smooth = smoothGrain(grainy);
    expect(grainOf(grainy)).toBeGreaterThan(0.1);
    expect(grainOf(smooth)).toBeLessThan(0.03);
    // The middle of a letter's side and the paper two pixels away.
    const at = (x: number, y: number) => smooth.pixels[y * smooth.width + x]!;
    for (let row = 0; row < ROWS; row++) {
      expect(at(90, 105 + 50 * row)).toBeLessThan(80);
      expect(at(87, 105 + 50 * row)).toBeGreaterThan(105);
    }
  });

  it('keeps the record of marks', () => {
    const marks = new Uint8Array(grainy.pixels.length);
    expect(smoothGrain({ ...grainy, marks }).marks).toBe(marks);
  });
});

describe('preparePage', () => {
  it('smooths less grain, too, where it makes thousands of cells', { timeout: 60_000 }, async () => {
    const gridOf = (places: number, step: number) => {
      const grid = flatPicture(80 + places * step, 80 + places * step, 140);
      for (let n = 0; n <= places; n++) {
        fill(grid, 40, 40 + step * n, places * step, 2, 60);
        fill(grid, 40 + step * n, 40, 2, places * step, 60);
      }
      for (let n = 0; n < places - 12; n += 4) letters(grid, 45 + step * n, 45 + step * n, 1, 40);
      return withNoise(grid, 10);
    };
    const grainLeft = async (raster: Raster) => {
      const { width, height } = raster;
      const orientation = { mirrored: false, turn: 0 as const };
      const { page: prepared } = await preparePage(
        { raster, source: { width, height }, orientation, pageCount: 1 },
        { recogniser, layouts: drawnLayouts },
      );
      return grainOf(prepared) / grainOf(raster);
    };
    expect(await grainLeft(gridOf(92, 20))).toBeLessThan(0.5);
    expect(await grainLeft(gridOf(20, 20))).toBeGreaterThan(0.5);
  });

  it('takes no grain for words or cells', async () => {
    const { width, height } = grainy;
    const decoded = {
      raster: grainy,
      source: { width, height },
      orientation: { mirrored: false, turn: 0 as const },
      pageCount: 1,
    };
    const { structure } = await preparePage(decoded, { recogniser, layouts: drawnLayouts });
    const clean = drawnStructure(page)!;
    expect(structure!.words.length).toBe(clean.words.length);
    expect(structure!.tables.map(({ rowCount, columnCount }) => [rowCount, columnCount])).toEqual([[ROWS, COLUMNS]]);
  });
});
