import { describe, expect, it } from 'vitest';
import {
  cutLine,
  cutUnderMarks,
  linesIn,
  piecesOf,
} from '../../../../../../functions/extraction/domain/reading/structure/cells/cell-lines.ts';
import type { PageStructure } from '../../../../../../functions/extraction/domain/reading/structure/find-tables.ts';
import {
  isCrossed,
  isForeign,
} from '../../../../../../functions/extraction/domain/reading/structure/ink/foreign-ink.ts';
import type { Extent } from '../../../../../../functions/extraction/domain/reading/structure/tables/grid.ts';
import { fill, flatPicture } from '../../../../../helpers/draw.ts';

const ruled = { page: flatPicture(1, 1, 255), mask: new Uint8Array(1), rows: [] };
const cell = { left: 0, top: 0, right: 200, bottom: 80 };

describe('the lines of a cell', () => {
  it('are as many as are printed one below the other', () => {
    expect(lines([letters(10, 5), letters(36, 3)].flat())).toEqual([
      { left: 10, top: 10, right: 70, bottom: 26 },
      { left: 10, top: 36, right: 46, bottom: 52 },
    ]);
  });

  it('are three of small print in the header of a narrow column, with letters apart, overlapping or touching', () => {
    const small = (top: number, left = 40, right = 60) => ({ left, top, right, bottom: top + 13, area: 100 });
    const tops = (parts: readonly Extent[]) =>
      lines(parts.map((part) => ({ ...part, area: 100 }))).map(({ top }) => top);
    expect(tops([small(8), small(22), small(36)])).toEqual([8, 22, 36]);
    // The halves of a syllable, the lower as low as a mark of the line above.
    const halves = [
      { left: 40, top: 36, right: 52, bottom: 41 },
      { left: 40, top: 43, right: 52, bottom: 49 },
    ];
    expect(tops([small(8), small(22), ...halves])).toEqual([8, 22, 36]);
    // A letter of the second line touches one of the third: both are one piece of ink.
    const touching = [small(8), small(22, 40, 48), { ...small(22, 50, 60), bottom: 49 }, small(36, 40, 48)];
    expect(lines(touching)).toHaveLength(3);
  });

  it('are those of a large print where a column is wide: no header is broken that leaves most of it free', () => {
    // Of two lines of syllables whose halves do not touch.
    const halves = [8, 21, 40, 53].flatMap((top) => letters(top, 4).map((part) => ({ ...part, bottom: top + 12 })));
    const inColumn = (right: number) => lines(halves, [], { ...cell, right }).length;
    expect([inColumn(120), inColumn(400)]).toEqual([4, 2]);
  });

  it('are two of a print whose syllables are much taller than its digits: ink in all their rows is not a touch of two lines', () => {
    const syllables = (top: number, count: number) =>
      letters(top, count).map((part) => ({ ...part, bottom: top + 21 }));
    // Rows with somewhat less ink, which would part them into three of one height.
    expect(lines([...syllables(8, 2), ...syllables(31, 3)], [21, 38])).toHaveLength(2);
  });

  it('are two next to a picture that is taller than a line', () => {
    const capsule = { left: 150, top: 12, right: 180, bottom: 45, area: 600 };
    expect(lines([...letters(8, 4), ...letters(34, 4), capsule])).toHaveLength(2);
  });

  it('are two of the usual print, though a syllable of one has halves that do not touch', () => {
    const halves = [
      { left: 40, top: 36, right: 52, bottom: 43, area: 50 },
      { left: 40, top: 46, right: 52, bottom: 55, area: 50 },
    ];
    expect(lines([...letters(10, 3), ...halves])).toHaveLength(2);
  });

  it('leave out what a faint rule has left below them', () => {
    const rest = [12, 40, 90].map((left) => ({ left, top: 34, right: left + 9, bottom: 38, area: 20 }));
    expect(lines([...letters(10, 5), ...rest])).toHaveLength(1);
  });

  it('reach no further than their letters, though the edge of a fill runs on below them', () => {
    const edge = { left: 2, top: 22, right: 198, bottom: 24, area: 390 };
    expect(lines([...letters(10, 5), edge])).toEqual(lines(letters(10, 5)));
  });

  it('are those of a small print above a seal, which is not a measure of them', () => {
    const ones = [6, 24].map((top) => ({ left: 40, top, right: 44, bottom: top + 11, area: 30 }));
    const seal = { left: 20, top: 42, right: 70, bottom: 76, area: 300 };
    expect(lines([...ones, seal]).map(({ top }) => top)).toEqual([6, 24, 42]);
  });

  it('keep one next to which a pen has left a taller stroke', () => {
    const stroke = { left: 120, top: 30, right: 160, bottom: 64, area: 90 };
    expect(lines([{ left: 90, top: 10, right: 96, bottom: 25, area: 40 }, stroke])[0]).toMatchObject({ left: 90 });
  });

  it('are not taller than their letters, though arcs of a ring are at both ends', () => {
    const arcs = [2, 78].map((left) => ({ left, top: 2, right: left + 8, bottom: 34, area: 60 }));
    expect(lines([...letters(10, 5), ...arcs])).toEqual([{ left: 2, top: 10, right: 86, bottom: 26 }]);
  });

  it('keep a dash that stands alone', () => {
    expect(lines([{ left: 90, top: 30, right: 98, bottom: 32, area: 16 }])).toHaveLength(1);
  });
});

describe('a stroke of a pen', () => {
  const digit = { left: 90, top: 30, right: 95, bottom: 46, area: 60 };
  const crossed = (stroke: typeof digit, x: number) => {
    const clean = flatPicture(200, 80, 255);
    fill(clean, digit.left, digit.top, 5, 16, 30);
    fill(clean, x, stroke.top, 3, stroke.bottom - stroke.top, 30);
    const components = [digit, stroke];
    return isCrossed(
      digit,
      [digit],
      [stroke].filter((part) => isForeign(part, 16)),
      { clean, components, letterHeight: 16, words: [], close: [], tables: [], ruled },
    );
  };

  it('crosses the digits right next to it: one of them may be a part of it', () => {
    expect(crossed({ left: 98, top: 10, right: 140, bottom: 70, area: 200 }, 98)).toBe(true);
  });

  it('leaves those alone that it goes around', () => {
    expect(crossed({ left: 40, top: 10, right: 160, bottom: 70, area: 200 }, 157)).toBe(false);
  });

  it('is not a letter of the size of others', () => {
    expect(crossed({ left: 98, top: 30, right: 101, bottom: 46, area: 48 }, 98)).toBe(false);
  });
});

function lines(components: PageStructure['components'], fainter: readonly number[] = [], within: Extent = cell) {
  const clean = flatPicture(200, 80, 255);
  for (const { left, top, right, bottom } of components) fill(clean, left, top, right - left, bottom - top, 30);
  for (const y of fainter) for (const { left, right } of components) fill(clean, left, y, right - left, 1, 80);
  const structure = { clean, components, letterHeight: 16, words: [], close: [], tables: [], ruled };
  return linesIn(within, structure, components);
}

function letters(top: number, count: number) {
  return Array.from({ length: count }, (_, i) => {
    return { left: 10 + i * 12, top, right: 22 + i * 12, bottom: top + 16, area: 100 };
  });
}

describe('a line from which a pen’s stroke was taken', () => {
  const clean = flatPicture(60, 40, 250);
  const marks = new Uint8Array(60 * 40);
  marks.fill(70, 60 * 20, 60 * 21);
  const line = { left: 10, top: 12, right: 50, bottom: 28 };
  const structure = { clean, marks, components: [], letterHeight: 16, words: [], close: [], tables: [], ruled };

  it('is cut out with what the stroke alone would leave of its light', () => {
    const cut = cutUnderMarks(line, line, structure);
    const middle = cut.pixels.subarray(Math.floor(cut.height / 2) * cut.width);
    expect(Math.min(...cut.pixels)).toBe(180);
    expect(middle[0]).toBe(180);
    expect(cutLine(line, line, structure).pixels.every((level) => level === 250)).toBe(true);
  });

  it('is the same twice where nothing was taken', () => {
    const { marks: _, ...unmarked } = structure;
    expect(cutUnderMarks(line, line, unmarked)).toEqual(cutLine(line, line, unmarked));
  });
});

describe('the pieces of a line', () => {
  const structure = {
    clean: flatPicture(1, 1, 255),
    components: [],
    letterHeight: 16,
    words: [],
    close: [],
    tables: [],
    ruled,
  };
  const pieces = (lefts: readonly number[]) => {
    const parts = lefts.map((left) => ({ left, top: 10, right: left + 10, bottom: 26, area: 100 }));
    const line = { left: lefts[0]!, top: 10, right: lefts.at(-1)! + 10, bottom: 26 };
    return piecesOf(line, structure, parts).map(({ left, right }) => [left, right]);
  };

  it('are split by wide blanks, as between the columns of a form without rules', () => {
    expect(pieces([0, 12, 24, 80, 140])).toEqual([
      [0, 34],
      [80, 90],
      [140, 150],
    ]);
  });

  it('are separated by narrower ones, if the letters themselves are close', () => {
    expect(pieces([0, 12, 24, 50, 62, 74])).toEqual([
      [0, 34],
      [50, 84],
    ]);
  });

  it('are absent if a speck is isolated', () => {
    const speck = { left: 80, top: 16, right: 84, bottom: 20, area: 16 };
    const parts = [0, 12, 24, 140].map((left) => ({ left, top: 10, right: left + 10, bottom: 26, area: 100 }));
    const found = piecesOf({ left: 0, top: 10, right: 150, bottom: 26 }, structure, [...parts, speck]);
    expect(found.map(({ left }) => left)).toEqual([0, 140]);
  });

  it('are absent if letters are set apart evenly, and if they are close', () => {
    expect(pieces([0, 25, 50, 75])).toEqual([]);
    expect(pieces([0, 12, 24, 36])).toEqual([]);
  });
});
