import { describe, expect, it } from 'vitest';
import type { LineRecogniser } from '../../../../../../functions/extraction/domain/reading/line-recogniser.ts';
import { readStructure } from '../../../../../../functions/extraction/domain/reading/read-page.ts';
import {
  mayHaveLostPoint,
  wholePrint,
} from '../../../../../../functions/extraction/domain/reading/structure/cells/print-on-rules.ts';
import type { PageStructure } from '../../../../../../functions/extraction/domain/reading/structure/find-tables.ts';
import type { Component } from '../../../../../../functions/extraction/domain/reading/structure/ink/components.ts';
import { fill, flatPicture } from '../../../../../helpers/draw.ts';

const RULE = 40;
const LETTER_HEIGHT = 16;

describe('print on a rule', () => {
  it('is whole with the ends of its letters on the other side', () => {
    const line = { left: 20, top: 28, right: 80, bottom: RULE };
    const components = [...letters(28, RULE), ...letters(RULE + 2, RULE + 6)];
    expect(wholePrint(line, page(components))).toEqual({ ...line, bottom: RULE + 6 });
  });

  it('takes nothing along of the line below', () => {
    const line = { left: 20, top: 28, right: 80, bottom: RULE };
    expect(wholePrint(line, page([...letters(28, RULE), ...letters(RULE + 2, RULE + 18)]))).toEqual(line);
  });

  it('is not print at a distance from the rule', () => {
    const line = { left: 20, top: 14, right: 80, bottom: 30 };
    expect(wholePrint(line, page(letters(14, 30)))).toBeNull();
  });

  it('is read once more with the rule, and in the cell that holds most of it alone', async () => {
    const structure = page([...letters(28, RULE), ...letters(RULE + 2, RULE + 6)]);
    const { tables } = await readStructure(structure.ruled.page, structure, seesRules);
    expect(tables[0]!.cells.map(({ text }) => text)).toEqual([
      { text: 'with its rule', confidence: 0.9 },
      { text: '', confidence: 0 },
    ]);
  });

  it('is read once where no rule is near', async () => {
    const structure = page(letters(14, 30));
    const { tables } = await readStructure(structure.ruled.page, structure, seesRules);
    expect(tables[0]!.cells[0]!.text).toEqual({ text: 'alone', confidence: 0.5 });
  });
});

describe('a number on a rule', () => {
  const digit = (left: number, bottom = RULE + 2): Component => ({
    left,
    top: bottom - 14,
    right: left + 8,
    bottom,
    area: 60,
  });

  it('may have lost its point if two digits are as far apart as around one', () => {
    expect(mayHaveLostPoint([digit(20), digit(36)], page([]))).toBe(true);
  });

  it('has lost none if the digits are close, or far off, or the point is seen', () => {
    expect(mayHaveLostPoint([digit(20), digit(31)], page([]))).toBe(false);
    expect(mayHaveLostPoint([digit(20), digit(50)], page([]))).toBe(false);
    const point = { left: 30, top: RULE - 1, right: 33, bottom: RULE + 2, area: 9 };
    expect(mayHaveLostPoint([digit(20), point, digit(36)], page([]))).toBe(false);
  });

  it('has lost none where no rule is at its feet, or right below them', () => {
    expect(mayHaveLostPoint([digit(20, 30), digit(36, 30)], page([]))).toBe(false);
    expect(mayHaveLostPoint([digit(20, RULE - 1), digit(36, RULE - 1)], page([]))).toBe(false);
  });
});

/** Reads surely what shows a rule. */
const seesRules: LineRecogniser = {
  recognise: async (lines) =>
    lines.map(({ width, height, pixels }) => {
      const isRuled = Array.from({ length: height }, (_, y) => pixels.subarray(y * width, (y + 1) * width)).some(
        (row) => row.every((level) => level < 100),
      );
      const text = isRuled ? { text: 'with its rule', confidence: 0.9 } : { text: 'alone', confidence: 0.5 };
      return { text, numeral: { text: '', confidence: 0 } };
    }),
};

function letters(top: number, bottom: number): Component[] {
  return Array.from({ length: 5 }, (_, i) => ({ left: 20 + i * 12, top, right: 32 + i * 12, bottom, area: 40 }));
}

/** Two cells, one above the other, and the rule between them. */
function page(components: readonly Component[]): PageStructure {
  const clean = flatPicture(100, 80, 255);
  const ruled = flatPicture(100, 80, 255);
  for (const picture of [clean, ruled])
    for (const { left, top, right, bottom } of components) fill(picture, left, top, right - left, bottom - top, 50);
  const mask = new Uint8Array(100 * 80);
  mask.fill(1, RULE * 100, (RULE + 2) * 100);
  fill(ruled, 0, RULE, 100, 2, 60);
  const cell = (row: number) => ({ row, column: 0, rowSpan: 1, columnSpan: 1, left: 0, right: 100 });
  return {
    clean,
    ruled: { page: ruled, mask, rows: [] },
    components,
    letterHeight: LETTER_HEIGHT,
    words: [],
    close: [],
    tables: [
      {
        left: 0,
        top: 0,
        right: 100,
        bottom: 80,
        rowCount: 2,
        columnCount: 1,
        cells: [
          { ...cell(0), top: 0, bottom: RULE },
          { ...cell(1), top: RULE + 1, bottom: 80 },
        ],
      },
    ],
  };
}
