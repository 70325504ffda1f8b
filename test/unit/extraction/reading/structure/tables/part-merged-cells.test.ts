import { describe, expect, it } from 'vitest';
import {
  buildGrid,
  type Separator,
  undrawn,
} from '../../../../../../functions/extraction/domain/reading/structure/tables/grid.ts';
import { partMergedCells } from '../../../../../../functions/extraction/domain/reading/structure/tables/part-merged-cells.ts';

const LETTER_HEIGHT = 20;
const ROWS = [0, 40, 80, 120, 160].map((at) => undrawn(at));
const drawnIn = (at: number, from: number, to: number): Separator => ({ at, slope: 0, pieces: [{ from, to }] });
const word = (row: number, left: number, right: number) => ({ left, right, top: row * 40 + 10, bottom: row * 40 + 30 });

describe('a cell without the border that other cells have', () => {
  // The border at 100 is drawn in the last row alone.
  const columns = [undrawn(0), drawnIn(100, 120, 160), undrawn(200), undrawn(300)];
  const partedRows = (...words: ReturnType<typeof word>[]) => {
    const grid = buildGrid(ROWS, columns);
    const { cells } = partMergedCells(grid, ROWS, columns, { close: words, tight: words }, LETTER_HEIGHT);
    return [0, 1, 2].filter((row) => cells.filter((cell) => cell.row === row).length === 3);
  };

  it('is split if each part has words', () => {
    expect(partedRows(word(0, 10, 80), word(0, 120, 180), word(1, 30, 60))).toEqual([0]);
  });

  it('is split below a heading over both', () => {
    expect(
      partedRows(word(0, 60, 140), word(1, 10, 80), word(1, 120, 180), word(2, 10, 80), word(2, 120, 180)),
    ).toEqual([1, 2]);
  });

  it('stays one where the print of more rows crosses the border', () => {
    expect(partedRows(word(0, 10, 80), word(0, 120, 180), word(1, 60, 140), word(2, 60, 140))).toEqual([]);
  });

  it('stays one where the print of more rows crosses it that wider blanks part than letters of one word', () => {
    const close = [word(0, 10, 80), word(0, 120, 180), word(1, 60, 140), word(2, 60, 140)];
    const tight = close.flatMap(({ left, right, ...at }) => [
      { ...at, left, right: (left + right) / 2 - 3 },
      { ...at, left: (left + right) / 2 + 3, right },
    ]);
    const grid = buildGrid(ROWS, columns);
    const { cells } = partMergedCells(grid, ROWS, columns, { close, tight }, LETTER_HEIGHT);
    expect(cells.filter((cell) => cell.row === 0)).toHaveLength(2);
  });

  it('stays one over borders of another part of the form, which ends at a wider cell', () => {
    const boxes = [60, 120, 180].map((at) => drawnIn(at, 0, 40));
    const header = [10, 70, 130, 190].map((left) => word(2, left, left + 40));
    const cellsOfHeader = (border: Separator) => {
      const narrow = [undrawn(0), ...boxes, border, undrawn(300)];
      const grid = buildGrid(ROWS, narrow);
      const { cells } = partMergedCells(grid, ROWS, narrow, { close: header, tight: header }, LETTER_HEIGHT);
      return cells.filter((cell) => cell.row === 2).length;
    };
    expect(cellsOfHeader({ ...undrawn(240), pieces: [0, 80].map((from) => ({ from, to: from ? 160 : 40 })) })).toBe(2);
    expect(cellsOfHeader(undrawn(240)), 'of one part').toBe(5);
  });
});

describe('a cell in two rows, without the rule between them that the directions have', () => {
  const columns = [0, 100, 200, 300, 400].map((at) => undrawn(at));
  const rule: Separator = { at: 40, slope: 0, pieces: [{ from: 300, to: 400 }] };
  const rows = [undrawn(0), rule, undrawn(80)];
  const twoLines = [word(0, 10, 90), word(1, 10, 90)];
  const directions = [word(0, 310, 390), word(1, 310, 390)];
  const cellsOfNames = (...numbers: ReturnType<typeof word>[]) => {
    const words = [...twoLines, ...numbers, ...directions];
    const grid = buildGrid(rows, columns);
    const { cells } = partMergedCells(grid, rows, columns, { close: words, tight: words }, LETTER_HEIGHT);
    return cells.filter(({ column }) => column === 0).length;
  };
  const between = (left: number) => ({ left, right: left + 20, top: 30, bottom: 50 });

  it('stays one if numbers next to it are printed between the rows', () => {
    expect(cellsOfNames(between(140), between(240))).toBe(1);
  });

  it('is split if numbers next to it are printed in each row', () => {
    const numbers = [0, 1].flatMap((row) => [word(row, 140, 160), word(row, 240, 260)]);
    expect(cellsOfNames(...numbers)).toBe(2);
  });
});
