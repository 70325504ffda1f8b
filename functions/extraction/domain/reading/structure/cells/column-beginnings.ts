import { medianOf } from '../../../median.ts';
import type { PageStructure } from '../find-tables.ts';
import { isInkedAt, overlaps } from '../ink/foreign-ink.ts';
import { columnOf, type Extent, type GridCell } from '../tables/grid.ts';

/** Lines that start at one place, and their share of a column's: names are written from the left, numbers are not. */
const ALIKE = { lines: 3, share: 0.6 };
/** In letter heights: how far apart they start. */
const SLACK = 0.5;

/** Start of the lines of each column, by `columnOf`; columns without a common start are left out. */
export function columnBeginnings(
  cells: readonly { readonly box: GridCell; readonly lines: readonly Extent[] }[],
  letterHeight: number,
): ReadonlyMap<string, number> {
  const inked = cells.filter(({ lines }) => lines.length > 0);
  return new Map(
    [...Map.groupBy(inked, ({ box }) => columnOf(box))].flatMap(([column, own]) => {
      const lefts = own.flatMap(({ lines }) => lines.map(({ left }) => left));
      const usual = medianOf(lefts);
      const alike = lefts.filter((left) => Math.abs(left - usual) <= SLACK * letterHeight);
      const isOne = alike.length >= Math.max(ALIKE.lines, ALIKE.share * lefts.length);
      return isOne ? [[column, Math.min(...alike)] as const] : [];
    }),
  );
}

/** In letter heights, how long at least a code is that a stroke has taken up before its name; and the part of its way on which the stroke has ink. */
const STRUCK = { length: 3, inked: 0.5 };

/**
 * Extends a print line to the start of its column's lines if strokes have ink all the way: a code that they merged with precedes the name
 * that was found.
 * @param foreign the page's components that are not letters.
 */
export function fromBeginning(
  line: Extent,
  beginning: number | undefined,
  foreign: readonly Extent[],
  { clean, letterHeight }: PageStructure,
): Extent {
  if (beginning === undefined || line.left - beginning < STRUCK.length * letterHeight) return line;
  const way = { ...line, left: Math.round(beginning), right: Math.round(line.left) };
  const over = foreign.filter((stroke) => overlaps(stroke, way));
  let inked = 0;
  for (let x = way.left; x < way.right; x++) if (isInkedAt(x, line, over, clean)) inked++;
  return inked >= STRUCK.inked * (way.right - way.left) ? { ...line, left: way.left } : line;
}
