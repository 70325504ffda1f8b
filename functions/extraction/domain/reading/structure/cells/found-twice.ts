import type { Extent } from '../tables/grid.ts';

/** A cell with its lines, each of which may reach over its border. */
interface CellLines<Line extends Extent> {
  readonly box: Extent;
  readonly lines: readonly Line[];
}

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
  if (dropped.size === 0) return cells;
  return cells.map((cell) => ({ ...cell, lines: cell.lines.filter((line) => !dropped.has(line)) }));
}

function keyOf({ left, top, right, bottom }: Extent): string {
  return [left, top, right, bottom].map(Math.round).join(' ');
}

function widthIn({ cell: { box }, line }: { readonly cell: CellLines<Extent>; readonly line: Extent }): number {
  return Math.min(box.right, line.right) - Math.max(box.left, line.left);
}
