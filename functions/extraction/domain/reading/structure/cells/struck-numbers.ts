import { medianOf } from '../../../median.ts';
import type { ReadLine } from '../../table-reader.ts';
import type { PageStructure } from '../find-tables.ts';
import type { Component } from '../ink/components.ts';
import { PRINT } from '../ink/ink.ts';
import { columnOf, type Extent, type GridCell } from '../tables/grid.ts';

/** A cell with the lines that were found in it. */
interface FoundCell {
  readonly box: GridCell;
  readonly lines: readonly (Extent & { readonly crossed: boolean })[];
}

/** In letter heights: a line no wider is a number, perhaps with its unit. */
const NUMBER_WIDTH = 5;
/** Minimum number of a column's cells that show a number, and their minimum share of the cells with ink. */
const COLUMN = { numbers: 2, share: 0.6 };
/** Minimum part of a line's height with ink where a digit lies under a stroke: a rule or the edge of a seal takes less. */
const INKED = 0.7;

/**
 * Numbers that a pen's stroke has merged with, so that no letter of them is found: in a cell without a line, or with a line that a stroke
 * crosses, where strokes run through the place at which its column and its row have numbers.
 * @param cells of one table.
 * @param strokes components of the page that are not letters.
 * @returns that place for each such cell; only reading it can show its content.
 */
export function struckNumbers(
  cells: readonly FoundCell[],
  strokes: readonly Component[],
  { clean, letterHeight }: PageStructure,
): ReadonlyMap<GridCell, Extent> {
  const simple = cells.filter(({ box }) => box.rowSpan === 1);
  const isNumber = (line: Extent) => line.right - line.left <= NUMBER_WIDTH * letterHeight;
  const columns = new Map(
    [...Map.groupBy(simple, ({ box }) => columnOf(box))].flatMap(([column, own]) => {
      const filled = own.filter(({ lines }) => lines.length > 0);
      const numbers = filled.flatMap(({ lines }) => (lines.length === 1 && isNumber(lines[0]!) ? lines : []));
      const isOfNumbers = numbers.length >= Math.max(COLUMN.numbers, COLUMN.share * filled.length);
      return isOfNumbers ? [[column, numbers] as const] : [];
    }),
  );
  const single = simple.filter(({ lines }) => lines.length === 1);
  const rowOf = ({ box }: FoundCell) => box.row;
  const rows = new Map([
    // In a row whose numbers are all struck, the name gives their position.
    ...Map.groupBy(single, rowOf),
    ...Map.groupBy(
      single.filter(({ box, lines }) => columns.has(columnOf(box)) && isNumber(lines[0]!)),
      rowOf,
    ),
  ]);
  const found = simple.flatMap(({ box, lines }) => {
    const [column, row] = [columns.get(columnOf(box)), rows.get(box.row)];
    if (lines.length > 1 || lines.some(({ crossed }) => !crossed) || !column || !row) return [];
    const place = {
      left: Math.max(box.left, Math.min(...column.map(({ left }) => left))),
      right: Math.min(box.right, Math.max(...column.map(({ right }) => right))),
      top: medianOf(row.map((cell) => cell.lines[0]!.top)),
      bottom: medianOf(row.map((cell) => cell.lines[0]!.bottom)),
    };
    return inkedShare(place, strokes, clean) >= INKED ? [[box, place] as const] : [];
  });
  return new Map(found);
}

/** A number, perhaps with its unit; and how surely it is read at least: a stroke alone may look like a 1. */
const NUMBER = /^\d[\d.]*\s?\D{0,3}$/;
const SURE = 0.97;
/** Confidence below which a line shows nothing that was printed. */
const UNREAD = 0.5;

/** Of a cell's lines those that show something: such a place's, where it reads as a number and the others as nothing. */
export function withStruckNumber(lines: readonly ReadLine[], place: ReadLine): readonly ReadLine[] {
  const isNumber = place.confidence >= SURE && NUMBER.test(place.text);
  return isNumber && lines.every(({ confidence }) => confidence < UNREAD) ? [place] : lines;
}

/** Part of the rows of pixels of a place in which a stroke has ink. */
function inkedShare(place: Extent, strokes: readonly Component[], { width, pixels }: PageStructure['clean']): number {
  const over = strokes.filter((stroke) => stroke.left < place.right && place.left < stroke.right);
  const [top, bottom] = [Math.round(place.top), Math.round(place.bottom)];
  let inked = 0;
  for (let y = top; y < bottom; y++) {
    const beside = over.filter((stroke) => y >= stroke.top && y < stroke.bottom);
    for (let x = Math.round(place.left); x < place.right; x++)
      if (pixels[y * width + x]! < PRINT && beside.some((stroke) => x >= stroke.left && x < stroke.right)) {
        inked++;
        break;
      }
  }
  return inked / Math.max(1, bottom - top);
}
