import type { Box, ReadTable } from '../../reading/table-reader.ts';
import { hullOf, overlap } from '../print.ts';

/** Of the lower of two: side by side are those that share so much of their height, and nothing of their width. */
const BESIDE = 0.25;

type Placed = Pick<ReadTable, 'box'> & Partial<Pick<ReadTable, 'cells'>>;

/**
 * In the given order, except that of side-by-side tables the left one comes first.
 * @param tables top to bottom.
 */
export function inReadingOrder<T extends Placed>(tables: readonly T[]): readonly T[] {
  const ordered: T[] = [];
  for (const table of tables) {
    const after = ordered.findIndex((other) => isLeftOf(table, other));
    ordered.splice(after < 0 ? ordered.length : after, 0, table);
  }
  return ordered;
}

/** A table that includes a header or numbers of its neighbour overlaps it, but its first column does not. */
function isLeftOf(a: Placed, b: Placed): boolean {
  if (!standBeside(a.box, b.box)) return false;
  return endsBefore(a.box, b.box) || endsBefore(firstColumnOf(a), firstColumnOf(b));
}

/** Whether two places share enough of their height to be side by side. */
function standBeside(a: Box, b: Box): boolean {
  return overlap(a.y, a.y + a.height, b.y, b.y + b.height) > BESIDE * Math.min(a.height, b.height);
}

function endsBefore(a: Box, b: Box): boolean {
  return a.x + a.width <= b.x;
}

function firstColumnOf({ box, cells = [] }: Placed): Box {
  const column = cells.filter((cell) => cell.column === 0 && cell.columnSpan === 1 && !cell.blank);
  return column.length === 0 ? box : hullOf(column.map((cell) => cell.box));
}

/** Of the smaller one's area. */
const SAME_PLACE = 0.1;

/** Whether two tables are at one place of the page. */
export function sharesPlace(a: Box, b: Box): boolean {
  const width = Math.max(0, overlap(a.x, a.x + a.width, b.x, b.x + b.width));
  const height = Math.max(0, overlap(a.y, a.y + a.height, b.y, b.y + b.height));
  return width * height > SAME_PLACE * Math.min(a.width * a.height, b.width * b.height);
}
