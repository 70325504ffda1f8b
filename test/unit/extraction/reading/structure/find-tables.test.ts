import { describe, expect, it } from 'vitest';
import type { Raster } from '../../../../../functions/extraction/domain/reading/raster.ts';
import type { GridTable } from '../../../../../functions/extraction/domain/reading/structure/tables/grid.ts';
import { fill, flatPicture, LETTER, letters } from '../../../../helpers/draw.ts';
import { drawnStructure } from '../../../../helpers/drawn-layout.ts';

const COLUMNS = [60, 190, 420, 500, 580, 690];
const RIGHT = 800;
const LETTERS = [6, 12, 3, 2, 5, 6];
const ROW_HEIGHT = 30;
const TOP = 80;

interface Sheet {
  readonly rows: number;
  readonly rules?: 'all' | 'none' | 'but the first';
  readonly header?: 'plain' | 'light on dark';
}

describe('findTables', () => {
  it('finds the rows and columns of a table with rules, and no table where none are', () => {
    const table = only(drawSheet({ rows: 8 }));
    expect([table.rowCount, table.columnCount]).toEqual([9, 6]);
    expect(table.cells).toHaveLength(54);
    expect(drawnStructure(drawSheet({ rows: 8, rules: 'none' }))!.tables).toEqual([]);
  });

  it('reads light letters on a dark header as a row like any other', () => {
    const page = drawSheet({ rows: 8, header: 'light on dark' });
    const table = only(page);
    expect([table.rowCount, table.columnCount]).toEqual([9, 6]);
    const header = table.cells.filter(({ row }) => row === 0);
    expect(header.map(({ columnSpan }) => columnSpan)).toEqual([1, 1, 1, 1, 1, 1]);
    const { clean } = drawnStructure(page)!;
    expect(levelAt(clean, COLUMNS[0]! + 12, TOP + 15), 'a letter').toBeLessThan(100);
    expect(levelAt(clean, RIGHT - 12, TOP + 15), 'the fill').toBeGreaterThan(200);
  });

  it('takes a narrow cell of a dark header whose letters cut its fill in two for a cell as high as the others', () => {
    const page = flatPicture(900, 460, 250);
    const [top, height] = [40, 44];
    const columns = [60, 110, 300, 420, 560, 700];
    for (const left of columns)
      fill(page, left, top, (columns[columns.indexOf(left) + 1] ?? 800) - left - 2, height, 60);
    for (const left of columns.slice(1)) letters(page, left + 20, top + 14, 4, 240);
    letters(page, 62, top + 14, 4, 240);
    for (let row = 0; row < 8; row++) {
      for (const left of [...columns, 800]) fill(page, left - 1, top + height, 1, 8 * ROW_HEIGHT, 120);
      fill(page, 60, top + height + (row + 1) * ROW_HEIGHT, 740, 1, 120);
      for (const left of columns) letters(page, left + 6, top + height + row * ROW_HEIGHT + 8, 2);
    }
    const { clean } = drawnStructure(page)!;
    for (const y of [top + 4, top + 15, top + height - 4])
      expect(levelAt(clean, 62 + LETTER.width + 1, y), `between two letters at ${y}`).toBeGreaterThan(140);
    expect(levelAt(clean, 64, top + 20), 'a letter').toBeLessThan(100);
  });

  it('reads the dark header of a grid with a tab of the same darkness next to it', () => {
    const page = drawSheet({ rows: 8, rules: 'all', header: 'light on dark' });
    fill(page, 18, TOP, 34, 9 * ROW_HEIGHT, 70);
    const { clean } = drawnStructure(page)!;
    expect(levelAt(clean, COLUMNS[0]! + 12, TOP + 15), 'a letter').toBeLessThan(100);
    expect(levelAt(clean, RIGHT - 12, TOP + 15), 'the fill').toBeGreaterThan(200);
  });

  it('splits two rows whose rule cannot be seen', () => {
    const table = only(drawSheet({ rows: 8, rules: 'but the first' }));
    expect(table.rowCount).toBe(9);
  });

  it('keeps a word whole that extends beyond the frame', () => {
    const page = drawSheet({ rows: 8, rules: 'all' });
    const y = TOP + 3 * ROW_HEIGHT + 8;
    letters(page, RIGHT - 4 * LETTER.step, y, 6);
    const table = only(page);
    const cell = table.cells.find(({ row, column }) => row === 3 && column === 5)!;
    expect(cell.right).toBeGreaterThan(RIGHT + LETTER.step);
    expect(table.cells.filter(({ right }) => right > RIGHT + LETTER.step)).toEqual([cell]);
  });

  it('takes a full stop of two pixels for a part of its number', () => {
    const page = flatPicture(700, 420, 255);
    for (let row = 0; row < 10; row++)
      for (const [index, left] of [40, 200, 420].entries()) {
        small(page, left, 30 + row * 26, index === 1 ? 4 : 3);
        if (index !== 2) continue;
        // 0.5: two digits, and the stop between them.
        fill(page, left + 26, 38 + row * 26, 1, 2, 0);
        small(page, left + 30, 30 + row * 26, 1);
      }
    expect(drawnStructure(page)!.close).toHaveLength(30);
  });

  it('takes the upper part of a letter for a part of its word', () => {
    const page = flatPicture(700, 420, 255);
    for (let row = 0; row < 10; row++)
      for (const left of [40, 300]) {
        const top = 30 + row * ROW_HEIGHT;
        // A gap splits the first letter's strokes.
        fill(page, left, top, LETTER.width, 7, 20);
        fill(page, left, top + 8, LETTER.width, 7, 20);
        letters(page, left + LETTER.step, top, 4);
      }
    expect(drawnStructure(page)!.close).toHaveLength(20);
  });

  it.each([6, 9, 10])(
    'splits the words of a tall header where only the rows below it are ruled, %d px apart',
    (gap) => {
      const page = flatPicture(900, 560, 255);
      const columns = [50, 400, 480, 560, 800];
      // Two lines a header; the name's is between them.
      letters(page, 150, 67, 8);
      for (const [index, left] of columns.slice(1, 4).entries())
        for (const line of [0, 1]) {
          const right = columns[index + 2]! - gap / 2;
          for (let x = left + gap / 2; x + LETTER.width <= right; x += LETTER.step)
            fill(page, x, 57 + line * 20, Math.min(LETTER.width, right - x), LETTER.height, 30);
        }
      for (let row = 0; row < 8; row++)
        for (const [index, left] of columns.slice(0, 4).entries())
          letters(page, left + 20, 108 + row * ROW_HEIGHT, [12, 2, 1, 1][index]!);
      for (const y of [50, ...Array.from({ length: 9 }, (_, row) => 100 + row * ROW_HEIGHT)])
        fill(page, 50, y, 752, 2, 60);
      // Remains of a rule split the name's header in two.
      fill(page, 50, 75, 350, 2, 60);
      for (const x of columns) fill(page, x, x > 400 && x < 800 ? 100 : 50, 2, x > 400 && x < 800 ? 242 : 292, 60);
      const { cells } = only(page);
      const header = cells.filter(({ column, bottom }) => column > 0 && bottom < 105);
      expect(header.map(({ column, columnSpan }) => [column, columnSpan])).toEqual(
        [1, 1, 2, 2, 3, 3].map((column) => [column, 1]),
      );
    },
  );

  it('leaves print the strokes that are on a rule, and takes the rest of the rule away', () => {
    const page = drawSheet({ rows: 8, rules: 'all' });
    const { clean: before } = drawnStructure(page)!;
    const rule = Array.from({ length: 40 }, (_, y) => TOP + 4 * ROW_HEIGHT - 20 + y).find(
      (y) => levelAt(page, COLUMNS[0]! + 30, y) < 150 && levelAt(before, COLUMNS[0]! + 30, y) === 255,
    )!;
    // A letter that hangs from the rule: its upper stroke is the rule's.
    const left = COLUMNS[1]! + 150;
    fill(page, left, rule, 2, LETTER.height, 0);
    fill(page, left + 7, rule, 2, LETTER.height, 0);
    const { clean } = drawnStructure(page)!;
    expect(levelAt(clean, left + 4, rule), 'between its strokes').toBeLessThan(150);
    expect(levelAt(clean, left + 40, rule), 'beside it').toBe(255);
  });

  it('leaves letters the strokes that a pale rule runs along', () => {
    const page = drawSheet({ rows: 8, rules: 'all' });
    const [rule, stem] = [470, TOP + 3 * ROW_HEIGHT + 8];
    fill(page, rule - 8, TOP - 30, 20, 260, 255);
    fill(page, rule, TOP - 30, 1, 260, 225);
    // The long stroke of 이 or 에, with nothing as dark nearby.
    fill(page, rule, stem, 1, LETTER.height, 40);
    const { clean } = drawnStructure(page)!;
    expect(levelAt(clean, rule, stem + 3)).toBeLessThan(60);
    expect(levelAt(clean, rule, stem - 4)).toBe(255);
  });

  it('finds nothing on an empty page, nor in plain text', () => {
    expect(drawnStructure(flatPicture(900, 500, 250))).toBeNull();
    const text = flatPicture(900, 500, 250);
    for (let line = 0; line < 12; line++)
      letters(text, 60 + ((line * 37) % 50), 40 + line * 34, 55 - ((line * 13) % 20));
    expect(drawnStructure(text)!.tables).toEqual([]);
  });
});

function drawSheet({ rows, rules = 'all', header = 'plain' }: Sheet): Raster {
  const page = flatPicture(900, 200 + ROW_HEIGHT * (rows + 1), 250);
  const bottom = TOP + ROW_HEIGHT * (rows + 1);
  if (header === 'light on dark') fill(page, 50, TOP, RIGHT - 50, ROW_HEIGHT, 70);
  for (let row = 0; row <= rows; row++)
    COLUMNS.forEach((left, column) => {
      const level = row === 0 && header === 'light on dark' ? 245 : 20;
      letters(
        page,
        left,
        TOP + row * ROW_HEIGHT + 8,
        row === 0 ? Math.min(3, LETTERS[column]!) : LETTERS[column]!,
        level,
      );
    });
  if (rules === 'none') return page;
  for (let row = 0; row <= rows + 1; row++) {
    if (rules === 'but the first' && row === 2) continue;
    if (header === 'light on dark' && row < 2) continue;
    fill(page, 50, TOP + row * ROW_HEIGHT, RIGHT - 50, 1, 90);
  }
  const top = header === 'light on dark' ? TOP + ROW_HEIGHT : TOP;
  for (const left of [50, ...COLUMNS.slice(1).map((column) => column - 10), RIGHT])
    fill(page, left, top, 1, bottom - top, 90);
  return page;
}

/** Print of ten pixels: its digits are 8 wide and 10 apart. */
function small(page: Raster, left: number, top: number, count: number): void {
  for (let i = 0; i < count; i++) fill(page, left + i * 8, top, 6, 10, 0);
}

function levelAt({ width, pixels }: Raster, x: number, y: number): number {
  return pixels[y * width + x]!;
}

function only(page: Raster): GridTable {
  const { tables } = drawnStructure(page)!;
  expect(tables).toHaveLength(1);
  return tables[0]!;
}
