import { medianOf } from '../../../median.ts';
import { areaOf, type Extent, sharedArea } from '../tables/grid.ts';

/** A cell with its lines, which may extend over its border. */
interface CellLines<Line extends Extent> {
  readonly box: Extent;
  readonly lines: readonly Line[];
}

/** Part of a line that lies in another at least to be a part of it, and times the page's usual height that one is at most: more are two lines. */
const PART = { within: 0.8, height: 1.6 };

/** Print on a border belongs to the cells on both sides: here to the one in which more of it lies, since a number that is read twice is another number. */
export function withoutFoundTwice<Line extends Extent, Cell extends CellLines<Line>>(
  cells: readonly Cell[],
): readonly Cell[] {
  const places = cells.flatMap((cell) => cell.lines.map((line) => ({ cell, line })));
  const byExtent = Map.groupBy(places, ({ line }) => keyOf(line));
  const twice = [...byExtent.values()].filter((same) => same.length > 1);
  const dropped = new Set(
    twice.flatMap((same) => {
      const [most, ...others] = same.toSorted((a, b) => widthIn(b) - widthIn(a));
      return others.filter(({ cell }) => cell !== most!.cell).map(({ line }) => line);
    }),
  );
  for (const line of partsOfOthers(places)) dropped.add(line);
  if (dropped.size === 0) return cells;
  return cells.map((cell) => ({ ...cell, lines: cell.lines.filter((line) => !dropped.has(line)) }));
}

interface Place<Line extends Extent> {
  readonly cell: CellLines<Line>;
  readonly line: Line;
}

/** Where paper bends, a straight border cuts through print: the lower halves of letters that the cell above has whole. */
function partsOfOthers<Line extends Extent>(places: readonly Place<Line>[]): readonly Line[] {
  const limit = PART.height * medianOf(places.map(({ line }) => heightOf(line)));
  const sorted = places.toSorted((a, b) => a.line.top - b.line.top);
  let first = 0;
  return sorted.flatMap(({ cell, line }) => {
    while (sorted[first]!.line.top < line.top - limit) first++;
    for (let at = first; at < sorted.length && sorted[at]!.line.top < line.bottom; at++) {
      const other = sorted[at]!;
      const isAbove = other.cell !== cell && other.cell.box.bottom <= cell.box.bottom;
      const isWhole = heightOf(other.line) > heightOf(line) && heightOf(other.line) <= limit;
      if (isAbove && isWhole && sharedArea(other.line, line) >= PART.within * areaOf(line)) return [line];
    }
    return [];
  });
}

function heightOf({ top, bottom }: Extent): number {
  return bottom - top;
}

function keyOf({ left, top, right, bottom }: Extent): string {
  return [left, top, right, bottom].map(Math.round).join(' ');
}

function widthIn({ cell: { box }, line }: Place<Extent>): number {
  return Math.min(box.right, line.right) - Math.max(box.left, line.left);
}
