import { describe, expect, it } from 'vitest';
import type { Raster } from '../../../../../../functions/extraction/domain/reading/raster.ts';
import { fill, flatPicture, letters } from '../../../../../helpers/draw.ts';
import { drawnStructure } from '../../../../../helpers/drawn-layout.ts';

const ROW_HEIGHT = 30;

describe('grids of one page', () => {
  it('takes grids that are stacked in one frame for separate tables', () => {
    const page = flatPicture(900, 600, 255);
    const grid = (top: number, columns: readonly number[], rows: number) => {
      for (let row = 0; row <= rows; row++) fill(page, 60, top + row * ROW_HEIGHT, 780, 1, 90);
      for (const left of columns) fill(page, left, top, 1, rows * ROW_HEIGHT, 90);
      for (let row = 0; row < rows; row++)
        for (const left of [60, ...columns]) letters(page, left + 10, top + row * ROW_HEIGHT + 8, 3);
    };
    grid(60, [160, 320, 470, 600], 4);
    grid(200, [240, 410, 700], 3);
    grid(310, [130, 280, 550, 650, 760], 5);
    for (const side of [60, 840]) fill(page, side, 60, 1, 400, 90);
    const { tables } = drawnStructure(page)!;
    expect(tables.map(({ columnCount }) => columnCount)).toEqual([5, 4, 6]);
  });

  it('takes grids side by side for separate tables, though a window joins them, with rows at other heights', () => {
    const page = windowPage();
    ruledGrid(page, [50, 110, 200], 60, 12, 24);
    ruledGrid(page, [230, 300, 500, 580, 660, 840], 72, 9, 26);
    expect(shapes(page)).toEqual(['13 x 2', '10 x 5']);
  });

  it('takes stacked grids for separate tables, though a rule of one continues in the other', () => {
    const page = windowPage();
    ruledGrid(page, [50, 160, 320, 470, 600, 840], 60, 4, 26);
    ruledGrid(page, [50, 160, 240, 400, 520, 700, 760, 840], 60 + 4 * 26 + 12, 5, 26);
    fill(page, 160, 60, 1, 9 * 26 + 12, 90);
    expect(drawnStructure(page)!.tables.map(({ columnCount }) => columnCount)).toEqual([5, 7]);
  });

  it('keeps the pale rules of a grid next to a dark frame with a side at the height of one of them', () => {
    const page = flatPicture(900, 420, 255);
    ruledGrid(page, [60, 140, 220, 300, 380, 440], 60, 7, 26, 215);
    for (const y of [54, 60 + 4 * 26]) fill(page, 460, y, 390, 4, 100);
    for (const x of [460, 846]) fill(page, x, 54, 4, 4 * 26 + 10, 100);
    fill(page, 460, 54, 4, 5 * 26, 100);
    expect(drawnStructure(page)!.tables[0]).toMatchObject({ rowCount: 7, columnCount: 5 });
  });

  it('takes grids side by side for separate tables, though their rows are level', () => {
    const page = flatPicture(900, 600, 255);
    ruledGrid(page, [50, 110, 200], 60, 12, 24);
    ruledGrid(page, [212, 300, 500, 580, 660, 840], 60, 9, 24);
    expect(shapes(page)).toEqual(['12 x 2', '9 x 5']);
  });

  it('takes grids side by side for separate tables, though a bar hides the side of one, where most rows are of one grid', () => {
    const page = flatPicture(900, 600, 255);
    ruledGrid(page, [50, 110, 200], 60, 12, 24);
    fill(page, 200, 60, 1, 12 * 24 + 1, 255);
    ruledGrid(page, [230, 300, 500, 580, 660, 840], 60, 7, 40);
    expect(shapes(page)).toEqual(['12 x 2', '7 x 5']);
  });

  it('takes grids side by side for tables of their own below a grid that is as wide as both', () => {
    const page = windowPage();
    ruledGrid(page, [50, 160, 320, 470, 600, 840], 60, 7, 26);
    ruledGrid(page, [50, 110, 200, 300], 256, 5, 26);
    ruledGrid(page, [330, 420, 560, 700, 840], 262, 5, 24);
    expect(drawnStructure(page)!.tables.map(({ columnCount }) => columnCount)).toEqual([5, 3, 4]);
  });

  it('takes stacked grids for separate tables, though sides of both are broken between them only', () => {
    const page = windowPage();
    ruledGrid(page, [50, 240, 420, 650, 840], 60, 4, 26);
    ruledGrid(page, [50, 110, 160, 250, 370, 480, 630, 800, 840], 176, 5, 26);
    ruledGrid(page, [50, 110, 160, 290, 430, 540, 700, 800, 840], 318, 5, 26);
    expect(drawnStructure(page)!.tables.map(({ columnCount }) => columnCount)).toEqual([4, 8, 8]);
  });

  it('takes stacked grids for separate tables with hardly any white between them, though the lower is much taller', () => {
    const page = flatPicture(900, 600, 255);
    ruledGrid(page, [50, 240, 420, 650, 840], 60, 2, 26);
    ruledGrid(page, [50, 110, 160, 250, 370, 480, 630, 800, 840], 60 + 2 * 26 + 11, 15, 26);
    expect(shapes(page)).toEqual(['2 x 4', '15 x 8']);
  });

  it('keeps a grid whole across which a scratch runs', () => {
    const page = flatPicture(900, 600, 255);
    ruledGrid(page, [50, 110, 200, 300, 500, 580, 660, 840], 60, 9, 24);
    fill(page, 210, 40, 8, 300, 255);
    expect(shapes(page)).toEqual(['9 x 7']);
  });

  it('keeps the pale rules of grids in dark frames: columns that end at pale rows are not a shine-through', () => {
    const page = flatPicture(900, 600, 255);
    for (const [top, columns] of [
      [54, [60, 200, 340, 480, 620, 846]],
      [290, [60, 110, 250, 600, 700, 846]],
    ] as const) {
      ruledGrid(page, columns, top + 4, 5, 26, 200);
      for (const y of [top, top + 170]) fill(page, 56, y, 794, 4, 100);
      for (const x of [56, 846]) fill(page, x, top, 4, 174, 100);
    }
    expect(drawnStructure(page)!.tables.map(({ columnCount }) => columnCount)).toEqual([5, 5]);
  });

  it('takes words of one line and of two for one header, if a fill hides the rules next to them', () => {
    const page = flatPicture(900, 400, 255);
    const columns = [50, 170, 290, 640, 720, 800, 840];
    ruledGrid(page, columns, 120, 6, 26);
    columns.slice(0, -2).forEach((left, index) => {
      for (const y of index % 2 === 0 ? [94] : [84, 103]) letters(page, left + 12, y, 4);
    });
    const [table] = drawnStructure(page)!.tables;
    expect(table).toMatchObject({ rowCount: 7, columnCount: 6 });
    expect(table!.cells.filter(({ row }) => row === 0)).toHaveLength(6);
  });

  it('distinguishes a header from the first line if one fill, as of a selected line, hides the rules of both', () => {
    const page = flatPicture(900, 400, 255);
    const columns = [50, 170, 290, 640, 750, 840];
    ruledGrid(page, columns, 120, 6, 26);
    columns.slice(0, -1).forEach((left, index) => {
      letters(page, left + 10, 100, 3);
      for (const y of index % 2 === 0 ? [68] : [60, 78]) letters(page, left + 12, y, 4);
    });
    // The consonant below a syllable, a separate component.
    fill(page, 182, 94, 9, 4, 20);
    const [table] = drawnStructure(page)!.tables;
    expect(table).toMatchObject({ rowCount: 8, columnCount: 5 });
    for (const row of [0, 1]) expect(table!.cells.filter((cell) => cell.row === row)).toHaveLength(5);
  });

  it('knows a header on a fill with two words that fill their cells and are as close as letters', () => {
    const page = flatPicture(900, 400, 255);
    const columns = [50, 170, 290, 640, 700, 760];
    ruledGrid(page, columns, 120, 6, 26);
    for (const left of columns.slice(0, -3)) letters(page, left + 12, 94, 4);
    letters(page, 643, 94, 10);
    const [table] = drawnStructure(page)!.tables;
    expect(table).toMatchObject({ rowCount: 7, columnCount: 5 });
  });

  it('splits the headers of narrow columns that fill their cells, where no rule between them is seen', () => {
    const page = flatPicture(900, 400, 255);
    const columns = [50, 350, 401, 452, 503, 554];
    ruledGrid(page, columns, 120, 6, 26);
    fill(page, 50, 90, 504, 1, 90);
    for (const side of [50, 554]) fill(page, side, 90, 1, 30, 90);
    for (const left of columns.slice(0, -1)) letters(page, left + 3, 98, 4);
    const [table] = drawnStructure(page)!.tables;
    expect(table).toMatchObject({ rowCount: 7, columnCount: 5 });
    expect(table!.cells.filter(({ row }) => row === 0)).toHaveLength(5);
  });
});

/** A window's sides and bottom, which join its contents. */
function windowPage(): Raster {
  const page = flatPicture(900, 600, 255);
  fill(page, 50, 560, 791, 1, 90);
  for (const x of [50, 840]) fill(page, x, 60, 1, 500, 90);
  return page;
}

function ruledGrid(
  page: Raster,
  columns: readonly number[],
  top: number,
  rows: number,
  height: number,
  level = 90,
): void {
  const [left, right] = [columns[0]!, columns.at(-1)!];
  for (let row = 0; row <= rows; row++) fill(page, left, top + row * height, right - left, 1, level);
  for (const column of columns) fill(page, column, top, 1, rows * height, level);
  for (let row = 0; row < rows; row++)
    for (const column of columns.slice(0, -1)) letters(page, column + 10, top + row * height + 6, 3);
}

/** The room below a grid, down to the window's bottom, is a row of it. */
function shapes(page: Raster): readonly string[] {
  return drawnStructure(page)!.tables.map(({ rowCount, columnCount }) => `${rowCount} x ${columnCount}`);
}
