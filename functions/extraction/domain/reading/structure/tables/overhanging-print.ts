import { contains, type Extent, type GridCell, type GridTable } from './grid.ts';
import type { Word } from './words.ts';

/**
 * The table with its outermost cells widened to words that lie mostly inside and extend beyond the frame: shifted print, or text lines
 * between shorter rules.
 */
export function withOverhangingPrint(table: GridTable, words: readonly Word[]): GridTable {
  const overhanging = words.filter((word) => contains(table, word) && !encloses(table, word));
  if (overhanging.length === 0) return table;
  const cells = table.cells.map((cell) =>
    overhanging
      .filter((word) => contains(cell, word))
      .reduce<GridCell>((wider, word) => widened(wider, word, table), cell),
  );
  return { ...table, cells };
}

function encloses(outer: Extent, inner: Extent): boolean {
  return (
    inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom
  );
}

/** Only across the table's own edge: what crosses a border between two cells belongs to one of them. */
function widened(cell: GridCell, word: Extent, table: GridTable): GridCell {
  return {
    ...cell,
    left: cell.column === 0 ? Math.min(cell.left, word.left) : cell.left,
    right: cell.column + cell.columnSpan === table.columnCount ? Math.max(cell.right, word.right) : cell.right,
    top: cell.row === 0 ? Math.min(cell.top, word.top) : cell.top,
    bottom: cell.row + cell.rowSpan === table.rowCount ? Math.max(cell.bottom, word.bottom) : cell.bottom,
  };
}
