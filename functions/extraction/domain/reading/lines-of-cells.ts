import { foreignIn, type Printed, printed } from './print-places.ts';
import { linesIn, piecesOf } from './structure/cells/cell-lines.ts';
import { columnBeginnings, fromBeginning } from './structure/cells/column-beginnings.ts';
import { withoutFoundTwice } from './structure/cells/found-twice.ts';
import { isCutOff } from './structure/cells/print-on-rules.ts';
import { struckNumbers } from './structure/cells/struck-numbers.ts';
import type { PageStructure } from './structure/find-tables.ts';
import { alongStrokes } from './structure/ink/foreign-ink.ts';
import {
  areaOf,
  columnOf,
  contains,
  type Extent,
  type GridCell,
  type GridTable,
  hullOf,
  sharedArea,
} from './structure/tables/grid.ts';

/** Part of the area of a pane that one of its grids takes up at most. */
const MAX_INNER = 0.9;
/** Part of a grid that lies in its pane at least: the pane's first rule may be seen at that of its header, below the grid's. */
const MIN_WITHIN = 0.9;

export interface CellLines {
  readonly table: GridTable;
  readonly box: GridCell;
  readonly lines: readonly (Printed & { readonly pieces: readonly Printed[] })[];
}

export function cellsOf(table: GridTable, structure: PageStructure): readonly CellLines[] {
  // Wider than the table where print overhangs it.
  const around = table.cells.reduce<Extent>(hullOf, table);
  // Skip text that belongs to a nested grid.
  const inner = structure.tables.filter((other) => other !== table && encloses(around, other));
  const parts = structure.components.filter(
    (part) => contains(around, part) && !inner.some((other) => contains(other, part)),
  );
  const foreign = foreignIn(structure);
  const strokes = foreign.filter(({ stroke }) => stroke);
  const inCells = table.cells.map((box) => ({ box, lines: linesIn(box, structure, parts) }));
  const beginnings = columnBeginnings(inCells, structure.letterHeight);
  const found = inCells.map(({ box, lines: own }): CellLines => {
    const lines = own
      .map((line) => fromBeginning(line, beginnings.get(columnOf(box)), foreign, structure))
      .map((line) => alongStrokes(line, box, strokes, structure))
      .map((line) => ({
        ...printed(line, parts, foreign, structure),
        pieces: piecesOf(line, structure, parts).map((piece) => printed(piece, parts, foreign, structure)),
      }));
    return { table, box, lines };
  });
  const struck = struckNumbers(found, foreign, structure);
  const onRules = found.flatMap(({ lines }) =>
    lines.flatMap((line) => (line.whole ? [{ line, whole: line.whole }] : [])),
  );
  return withoutFoundTwice(
    found.map(({ lines, ...cell }): CellLines => {
      const place = struck.get(cell.box);
      const own = lines.filter((line) => !onRules.some((other) => isCutOff(line, other, structure.letterHeight)));
      if (!place) return { ...cell, lines: own };
      const number = { ...place, crossed: true, struck: true, whole: null, onColumnRule: false, pieces: [] };
      return { ...cell, lines: [...own, number] };
    }),
  );
}

/** Whether a table lies for the most part within another place, and does not fill it. */
function encloses(outer: Extent, inner: Extent): boolean {
  const own = areaOf(inner);
  return sharedArea(outer, inner) >= MIN_WITHIN * own && own < MAX_INNER * areaOf(outer);
}
