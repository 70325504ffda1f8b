import { describe, expect, it } from 'vitest';
import { endsOnPage } from '../../../../functions/extraction/domain/interpret/lists/ends-on-page.ts';
import type { LineRecogniser } from '../../../../functions/extraction/domain/reading/line-recogniser.ts';
import { cropRaster, type Raster } from '../../../../functions/extraction/domain/reading/raster.ts';
import { readPage } from '../../../../functions/extraction/domain/reading/read-page.ts';
import { fill, flatPicture, LETTER, letters } from '../../../helpers/draw.ts';
import { drawnStructure } from '../../../helpers/drawn-layout.ts';

const nothing = { text: '', confidence: 0 };
/** Whether a table is cut is seen, not read. */
const blind: LineRecogniser = {
  recognise: async (lines) => lines.map(() => ({ text: nothing, numeral: nothing })),
};
const word = { text: '가나', confidence: 0.99 };
const spelling: LineRecogniser = {
  recognise: async (lines) => lines.map(() => ({ text: word, numeral: nothing })),
};
const two = { text: '2', confidence: 0.99 };
const counting: LineRecogniser = { recognise: async (lines) => lines.map(() => ({ text: two, numeral: two })) };
const ROW_HEIGHT = 28;
const readDrawn = (page: Raster, recogniser: LineRecogniser) => readPage(page, recogniser, drawnStructure(page));

describe('a list without rules', () => {
  it('is whole although the picture ends right below its last row', async () => {
    expect(await isWhole(sheet(12 * ROW_HEIGHT - 8))).toBe(true);
  });

  it('is whole although a shadow reaches the picture’s edges', async () => {
    const page = sheet(12 * ROW_HEIGHT - 8);
    // The ragged edge of a shadow.
    for (let y = 0; y < page.height; y += 10) fill(page, 550 + [0, 4, 8, 4][(y / 10) % 4]!, y, 5, 10, 60);
    expect(await isWhole(page)).toBe(true);
  });

  it.each([4, 8, 12])('is cut where %i pixels of another row are in the picture', async (visible) => {
    expect(await isWhole(sheet(12 * ROW_HEIGHT + visible))).toBe(false);
  });

  it('has its columns apart, and the words of a column in one line', async () => {
    const { tables, texts } = await readDrawn(sheet(12 * ROW_HEIGHT - 8), spelling);
    expect(tables).toEqual([]);
    expect(texts).toHaveLength(11 * 5);
    const page = flatPicture(700, 300, 250);
    for (let row = 0; row < 6; row++) {
      letters(page, 40, 40 + row * ROW_HEIGHT, 4);
      letters(page, 40 + 5 * LETTER.step, 40 + row * ROW_HEIGHT, 6);
    }
    const lines = (await readDrawn(page, spelling)).texts;
    expect(lines.map(({ pieces }) => pieces?.length)).toEqual([2, 2, 2, 2, 2, 2]);
  });
});

describe('a grid in the pane of another', () => {
  it('has its print for itself', async () => {
    const page = flatPicture(900, 620, 250);
    const [outer, inner] = [
      [40, 300, 600, 860],
      [80, 240, 420, 640, 820],
    ];
    const [above, below] = [
      [40, 70, 100],
      [220, 250, 280, 310, 340],
    ];
    ruled(page, outer!, above!);
    ruled(page, [40, 860], [40, 580]);
    ruled(page, inner!, below!);
    printed(page, outer!, above!);
    printed(page, inner!, below!);
    expect(await linesOfTables(page)).toEqual([6, 16]);
  });

  it('has its own print, though its header is above the first visible rule of the pane', async () => {
    const page = flatPicture(900, 620, 250);
    const [list, grid] = [
      [40, 110, 180],
      [220, 380, 520, 680, 820],
    ];
    const rows = Array.from({ length: 10 }, (_, row) => 60 + 30 * row);
    ruled(page, list!, rows);
    fill(page, 40, 580, 821, 1, 90);
    for (const side of [40, 110, 180, 860]) fill(page, side, 60, 1, 520, 90);
    const own = Array.from({ length: 14 }, (_, row) => 45 + 30 * row);
    ruled(page, grid!, own);
    printed(page, list!, rows);
    printed(page, grid!, own);
    expect([...(await linesOfTables(page))].sort((a, b) => a - b)).toEqual([18, 52]);
  });
});

describe('a grid that reaches the edge of the picture', () => {
  /** A grid of rows of 40 pixels, `filled` of them with print, that the picture's lower edge cuts. */
  const isBounded = async (filled: number) => {
    const page = flatPicture(900, 420, 250);
    const [columns, rows] = [
      [40, 300, 600, 860],
      [20, 60, 100, 140, 180, 220, 260, 300, 340, 380, 419],
    ];
    ruled(page, columns, rows);
    printed(page, columns, rows.slice(0, filled + 1));
    const { tables } = await readDrawn(page, spelling);
    expect(tables).toHaveLength(1);
    return tables[0]!.bounded;
  };

  it('is whole where rows without print end it', async () => {
    expect(await isBounded(6)).toBe(true);
  });

  it('is cut where print fills its last row', async () => {
    expect(await isBounded(10)).toBe(false);
  });
});

describe('a number outside of every cell', () => {
  /** Two digits 8 pixels apart, with or without a point between them, in a list of words. */
  const lines = async (hasPoint: boolean) => {
    const page = flatPicture(700, 300, 250);
    for (let row = 0; row < 6; row++) {
      letters(page, 40, 40 + row * ROW_HEIGHT, 6);
      const foot = 40 + row * ROW_HEIGHT + 14;
      fill(page, 400, foot - 14, 8, 14, 20);
      fill(page, 418, foot - 14, 8, 14, 20);
      if (hasPoint) fill(page, 412, foot - 1, 2, 1, 20);
    }
    const { texts } = await readDrawn(page, counting);
    return texts.filter(({ box }) => box.x > 300).length;
  };

  it('is one text across its decimal point, and two without one', async () => {
    expect([await lines(true), await lines(false)]).toEqual([6, 12]);
  });
});

describe('a line that reads as one digit', () => {
  it('is doubted where it is as wide as several', async () => {
    const page = flatPicture(900, 620, 250);
    const [columns, rows] = [
      [40, 300, 600, 860],
      [40, 80, 120, 160],
    ];
    ruled(page, columns, rows);
    for (const y of rows.slice(0, -1))
      for (const [n, x] of columns.slice(0, -1).entries()) letters(page, x + 10, y + 8, 4 - n);
    const { tables } = await readDrawn(page, counting);
    const [first, last] = [0, 2].map((column) => tables[0]!.cells.find((cell) => cell.column === column)!.lines![0]!);
    expect(first).toMatchObject({ crossed: true, confidence: 0.495 });
    expect(last!.confidence).toBe(0.99);
    expect(last!.crossed).toBeUndefined();
  });
});

/** Rules between columns and rows, from the first to the last of both. */
function ruled(page: Raster, columns: readonly number[], rows: readonly number[]): void {
  const [left, right, top, bottom] = [columns[0]!, columns.at(-1)!, rows[0]!, rows.at(-1)!];
  for (const y of rows) fill(page, left, y, right - left, 1, 90);
  for (const x of columns) fill(page, x, top, 1, bottom - top, 90);
}

function printed(page: Raster, columns: readonly number[], rows: readonly number[]): void {
  for (const x of columns.slice(0, -1)) for (const y of rows.slice(0, -1)) letters(page, x + 10, y + 8, 4);
}

async function linesOfTables(page: Raster): Promise<readonly number[]> {
  const { tables } = await readDrawn(page, blind);
  return tables.map(({ cells }) => cells.flatMap((cell) => cell.lines ?? []).length);
}

/** Rows of five numbers; the picture shows `height` pixels of them. */
function sheet(height: number): Raster {
  const page = flatPicture(700, 14 * ROW_HEIGHT, 250);
  for (let row = 0; row < 14; row++)
    for (const [column, left] of [40, 180, 320, 460, 600].entries())
      for (let i = 0; i < 3 + ((row + column) % 3); i++) fill(page, left + i * 12, row * ROW_HEIGHT, 9, 14, 20);
  fill(page, 0, 0, page.width, ROW_HEIGHT - 2, 250);
  return cropRaster(page, 0, 0, page.width, height);
}

/** Whether the first eleven rows of a sheet are all of its list. */
async function isWhole(page: Raster): Promise<boolean> {
  const read = await readDrawn(page, blind);
  return endsOnPage({ x: 40, y: ROW_HEIGHT, width: 600, height: 11 * ROW_HEIGHT }, read);
}
