import { describe, expect, it } from 'vitest';
import { findTables } from '../../../../../functions/extraction/domain/reading/structure/find-tables.ts';
import { fill, flatPicture, LETTER, letters } from '../../../../helpers/draw.ts';

const ROW_HEIGHT = 30;

describe('findTables, where rules are dashed', () => {
  it.each([2, 4])('takes rows of dashes %i pixels thick for rules, not for letters', (thickness) => {
    const page = flatPicture(900, 500, 255);
    for (let row = 0; row < 10; row++) {
      const top = 60 + row * ROW_HEIGHT;
      for (const [index, left] of [60, 300, 480].entries()) letters(page, left, top, [10, 4, 3][index]!);
      for (let x = 50; x < 800; x += 12) fill(page, x, top + 20, 7, thickness, 60);
    }
    const { components, close } = findTables(page)!;
    expect(components).toHaveLength(10 * 17);
    expect(close).toHaveLength(10 * 3);
  });

  it('takes dashes down the page for rules, and leaves the strokes of letters that touch a dashed rule', () => {
    const page = flatPicture(900, 560, 255);
    for (let row = 0; row < 10; row++) {
      const top = 60 + row * ROW_HEIGHT;
      for (const [index, left] of [60, 300, 480].entries()) letters(page, left, top, [10, 4, 3][index]!);
      // The rule below touches the letters of the second row.
      const rule = row === 1 ? top + LETTER.height - 1 : top + 20;
      for (let x = 50; x < 800; x += 12) fill(page, x, rule, 7, 2, 60);
    }
    for (const x of [280, 460]) for (let y = 50; y < 360; y += 12) fill(page, x, y, 2, 7, 60);
    const { components } = findTables(page)!;
    const second = components.filter(({ top }) => top === 60 + ROW_HEIGHT);
    expect(second).toHaveLength(17);
    expect(second.every(({ top, bottom }) => bottom - top >= LETTER.height)).toBe(true);
  });

  it.each([
    { pitch: 12, length: 7, phase: 0, bend: 0 },
    { pitch: 12, length: 7, phase: 4, bend: 0 },
    { pitch: 14, length: 8, phase: 9, bend: 0 },
    { pitch: 16, length: 10, phase: 6, bend: 0 },
    { pitch: 14, length: 8, phase: 3, bend: 12 },
  ])(
    'finds dashed columns that dashed rows cross: a dash every $pitch px, $phase px on, bent by $bend px',
    (dashes) => {
      const { pitch, length, phase, bend } = dashes;
      const page = flatPicture(900, 560, 255);
      const drop = (x: number) => Math.round(bend * Math.sin((Math.PI * (x - 50)) / 750));
      for (let row = 0; row < 10; row++)
        for (const [index, left] of [60, 300, 500, 660].entries())
          letters(page, left, 58 + drop(left) + row * ROW_HEIGHT, [10, 4, 3, 2][index]!);
      for (let row = 0; row <= 10; row++)
        for (let x = 50; x < 800; x += pitch) fill(page, x, 50 + drop(x) + row * ROW_HEIGHT, length, 2, 60);
      for (const x of [50, 800]) fill(page, x, 50, 2, 302, 60);
      for (const x of [280, 460, 620])
        for (let y = 50 + phase; y < 340 + drop(x); y += pitch) fill(page, x, y, 2, length, 60);
      const { tables, components } = findTables(page)!;
      expect(tables.map(({ rowCount, columnCount }) => [rowCount, columnCount])).toEqual([[10, 4]]);
      expect(tables[0]!.cells).toHaveLength(40);
      expect(components).toHaveLength(10 * 19);
    },
  );
});
