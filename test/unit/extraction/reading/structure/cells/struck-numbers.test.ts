import { describe, expect, it } from 'vitest';
import {
  struckNumbers,
  withStruckNumber,
} from '../../../../../../functions/extraction/domain/reading/structure/cells/struck-numbers.ts';
import type { PageStructure } from '../../../../../../functions/extraction/domain/reading/structure/find-tables.ts';
import type { Component } from '../../../../../../functions/extraction/domain/reading/structure/ink/components.ts';
import type { Extent } from '../../../../../../functions/extraction/domain/reading/structure/tables/grid.ts';
import type { ReadLine } from '../../../../../../functions/extraction/domain/reading/table-reader.ts';

const LETTER = 20;
const SIZE = { width: 400, height: 200 };

/** A cell of a table with columns of 100 and rows of 40 pixels, with lines of print `from` its left border. */
function cell(row: number, column: number, ...lines: { from: number; width: number; crossed?: boolean }[]) {
  const box = { left: column * 100, right: column * 100 + 100, top: row * 40, bottom: row * 40 + 40 };
  return {
    box: { ...box, row, column, rowSpan: 1, columnSpan: 1 },
    lines: lines.map(({ from, width, crossed = false }) => ({
      left: box.left + from,
      right: box.left + from + width,
      top: box.top + 10,
      bottom: box.top + 30,
      crossed,
    })),
  };
}

const number = { from: 40, width: 20 };
const name = { from: 5, width: 180 };
/** Three rows of a name and two numbers, one of which is not found. */
const rows = (missing: ReturnType<typeof cell>) => [
  ...[cell(0, 0, name), cell(0, 2, number), cell(0, 3, number)],
  ...[cell(1, 0, name), cell(1, 2, number), missing],
  ...[cell(2, 0, name), cell(2, 2, number), cell(2, 3, number)],
];

/** A page with ink in one place, and the stroke that it is a part of. */
function struckAt({ left, right, top, bottom }: Extent): { structure: PageStructure; strokes: readonly Component[] } {
  const pixels = new Uint8Array(SIZE.width * SIZE.height).fill(255);
  for (let y = top; y < bottom; y++) pixels.fill(0, y * SIZE.width + left, y * SIZE.width + right);
  const structure = { clean: { ...SIZE, pixels }, letterHeight: LETTER } as PageStructure;
  return { structure, strokes: [{ left: 100, right: 400, top: 40, bottom: 80, area: 600 }] };
}

function placesOf(missing: ReturnType<typeof cell>, ink: Extent) {
  const { structure, strokes } = struckAt(ink);
  return [...struckNumbers(rows(missing), strokes, structure)].map(([box, place]) => ({ row: box.row, ...place }));
}

const WHERE_A_NUMBER_IS = { left: 340, right: 360, top: 50, bottom: 70 };

describe('struckNumbers', () => {
  it("finds the place of a number that a stroke has taken up, by its column's and its row's numbers", () => {
    expect(placesOf(cell(1, 3), WHERE_A_NUMBER_IS)).toEqual([{ row: 1, ...WHERE_A_NUMBER_IS }]);
  });

  it("finds it if the cell's print is crossed, and none next to a line that is not", () => {
    const line = (crossed: boolean) => cell(1, 3, { from: 10, width: 80, crossed });
    expect(placesOf(line(true), WHERE_A_NUMBER_IS)).toHaveLength(1);
    expect(placesOf(line(false), WHERE_A_NUMBER_IS)).toEqual([]);
  });

  it('finds it level with the name where it has taken up all numbers of a row', () => {
    const { structure, strokes } = struckAt({ left: 240, right: 360, top: 50, bottom: 70 });
    const struck = [
      ...[cell(0, 0, name), cell(0, 2, number), cell(0, 3, number)],
      ...[cell(1, 0, name), cell(1, 2), cell(1, 3)],
      ...[cell(2, 0, name), cell(2, 2, number), cell(2, 3, number)],
    ];
    const places = [...struckNumbers(struck, strokes, structure).values()];
    expect(places.map(({ left, top, bottom }) => [left, top, bottom])).toEqual([
      [240, 50, 70],
      [340, 50, 70],
    ]);
  });

  it('finds none where a stroke passes by or is as thin as a rule', () => {
    expect(placesOf(cell(1, 3), { left: 300, right: 330, top: 50, bottom: 70 })).toEqual([]);
    expect(placesOf(cell(1, 3), { ...WHERE_A_NUMBER_IS, bottom: 54 })).toEqual([]);
  });

  it('finds none in a column of names, nor in a row without numbers', () => {
    const { structure, strokes } = struckAt({ left: 0, right: 400, top: 40, bottom: 80 });
    const names = [cell(0, 0, name), cell(1, 0), cell(2, 0, name), cell(0, 2, number), cell(2, 2, number), cell(1, 2)];
    expect(struckNumbers(names, strokes, structure).size).toBe(0);
  });
});

describe('withStruckNumber', () => {
  const line = (text: string, confidence: number) => ({ text, confidence }) as ReadLine;

  it('shows a number that was read surely where nothing else was read', () => {
    const place = line('1.00T', 0.99);
    expect(withStruckNumber([], place)).toEqual([place]);
    expect(withStruckNumber([line('', 0)], place)).toEqual([place]);
  });

  it.each([
    ['no number', [], line('으', 0.99)],
    ['an unsure one', [], line('1', 0.95)],
    ['one next to a reading', [line('0.5', 0.8)], line('5', 0.99)],
  ])('shows the lines that were found next to %s', (_, lines, place) => {
    expect(withStruckNumber(lines, place)).toEqual(lines);
  });
});
