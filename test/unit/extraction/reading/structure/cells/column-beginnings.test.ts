import { describe, expect, it } from 'vitest';
import {
  columnBeginnings,
  fromBeginning,
} from '../../../../../../functions/extraction/domain/reading/structure/cells/column-beginnings.ts';
import type { PageStructure } from '../../../../../../functions/extraction/domain/reading/structure/find-tables.ts';

const LETTER = 20;
const SIZE = { width: 400, height: 100 };

function cellsFrom(...lefts: readonly number[]) {
  return lefts.map((left, row) => ({
    box: { row, column: 0, rowSpan: 1, columnSpan: 1, left: 0, right: 400, top: row * 40, bottom: row * 40 + 40 },
    lines: [{ left, right: 300, top: row * 40 + 10, bottom: row * 40 + 30 }],
  }));
}

describe('columnBeginnings', () => {
  it('finds where most lines of a column start', () => {
    expect([...columnBeginnings(cellsFrom(10, 12, 150, 9), LETTER).values()]).toEqual([9]);
  });

  it('finds none where lines start anywhere, or are few', () => {
    expect(columnBeginnings(cellsFrom(10, 60, 110, 160), LETTER).size).toBe(0);
    expect(columnBeginnings(cellsFrom(10, 10), LETTER).size).toBe(0);
  });
});

describe('fromBeginning', () => {
  const line = { left: 150, right: 300, top: 40, bottom: 60 };
  const ring = { left: 0, right: 200, top: 20, bottom: 90 };
  /** @param inked from 10 up to there. */
  const leftOf = (inked: number, { beginning = 10, strokes = [ring] } = {}) => {
    const pixels = new Uint8Array(SIZE.width * SIZE.height).fill(255);
    pixels.fill(0, 50 * SIZE.width + 10, 50 * SIZE.width + inked);
    const structure = { clean: { ...SIZE, pixels }, letterHeight: LETTER } as PageStructure;
    return fromBeginning(line, beginning, strokes, structure).left;
  };

  it('takes along what a stroke has made one piece with itself before a name', () => {
    expect(leftOf(140)).toBe(10);
  });

  it.each([
    ['the stroke has ink on a part of the way only', leftOf(60)],
    ['no stroke is there', leftOf(140, { strokes: [] })],
    ['no code would find room', leftOf(140, { beginning: 100 })],
  ])('leaves a line where %s', (_, left) => {
    expect(left).toBe(150);
  });
});
