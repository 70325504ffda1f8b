import type { Span } from '../rules/ruled-line.ts';

/** A table's grid on the page, in pixels. */
export interface GridTable extends Extent {
  readonly rowCount: number;
  readonly columnCount: number;
  /** Row by row; a merged cell is listed once, at its top left. */
  readonly cells: readonly GridCell[];
}

export interface GridCell extends Extent {
  readonly row: number;
  readonly column: number;
  readonly rowSpan: number;
  readonly columnSpan: number;
}

/** Key of the grid columns that a cell spans, equal for all cells that span them. */
export function columnOf({ column, columnSpan }: GridCell): string {
  return `${column} ${columnSpan}`;
}

export interface Extent {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The border between two rows or two columns: a straight line, drawn where `pieces` say, or everywhere when null. */
export interface Separator {
  readonly at: number;
  readonly slope: number;
  readonly pieces: readonly { readonly from: number; readonly to: number }[] | null;
}

/** Minimum drawn part of a border for the cells at its sides to be separate. */
const DRAWN = 0.5;

/** Border at a known place that no line draws. */
export function undrawn(at: number, slope = 0): Separator {
  return { at, slope, pieces: null };
}

export function positionAt(line: { readonly at: number; readonly slope: number }, along: number): number {
  return line.at + line.slope * along;
}

export function middleOf({ from, to }: Span): number {
  return (from + to) / 2;
}

export function areaOf({ left, top, right, bottom }: Extent): number {
  return (right - left) * (bottom - top);
}

/** Overlap of two extents; 0 without one. */
export function sharedArea(a: Extent, b: Extent): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return Math.max(0, width) * Math.max(0, height);
}

export function contains(box: Extent, inner: Extent): boolean {
  const x = (inner.left + inner.right) / 2;
  const y = (inner.top + inner.bottom) / 2;
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}

/** The smallest box around both. */
export function hullOf(a: Extent, b: Extent): Extent {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}

/** Cells between the separators, merged where the border between them is not drawn. */
export function buildGrid(rows: readonly Separator[], columns: readonly Separator[]): GridTable {
  const rowCount = rows.length - 1;
  const columnCount = columns.length - 1;
  const corners = rows.map((row) => columns.map((column) => crossing(row, column)));
  const corner = (row: number, column: number) => corners[row]![column]!;
  const openRight = (row: number, column: number) =>
    column + 1 < columnCount && !drawn(columns[column + 1]!, corner(row, column + 1).y, corner(row + 1, column + 1).y);
  const openBelow = (row: number, column: number) =>
    row + 1 < rowCount && !drawn(rows[row + 1]!, corner(row + 1, column).x, corner(row + 1, column + 1).x);

  const taken = new Uint8Array(rowCount * columnCount);
  const cells: GridCell[] = [];
  for (let row = 0; row < rowCount; row++)
    for (let column = 0; column < columnCount; column++) {
      if (taken[row * columnCount + column]) continue;
      let columnSpan = 1;
      while (openRight(row, column + columnSpan - 1) && !taken[row * columnCount + column + columnSpan]) columnSpan++;
      let rowSpan = 1;
      while (range(column, columnSpan).every((c) => openBelow(row + rowSpan - 1, c))) rowSpan++;
      for (const r of range(row, rowSpan)) for (const c of range(column, columnSpan)) taken[r * columnCount + c] = 1;
      const topLeft = corner(row, column);
      const topRight = corner(row, column + columnSpan);
      const bottomRight = corner(row + rowSpan, column + columnSpan);
      const bottomLeft = corner(row + rowSpan, column);
      cells.push({
        row,
        column,
        rowSpan,
        columnSpan,
        left: (topLeft.x + bottomLeft.x) / 2,
        right: (topRight.x + bottomRight.x) / 2,
        top: (topLeft.y + topRight.y) / 2,
        bottom: (bottomLeft.y + bottomRight.y) / 2,
      });
    }
  const first = corner(0, 0);
  const last = corner(rowCount, columnCount);
  return { left: first.x, top: first.y, right: last.x, bottom: last.y, rowCount, columnCount, cells };
}

function range(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index);
}

function crossing(row: Separator, column: Separator): { x: number; y: number } {
  const x = (column.at + column.slope * row.at) / (1 - column.slope * row.slope);
  return { x, y: positionAt(row, x) };
}

function drawn(separator: Separator, from: number, to: number): boolean {
  if (separator.pieces === null) return true;
  let length = 0;
  for (const piece of separator.pieces) length += Math.max(0, Math.min(piece.to, to) - Math.max(piece.from, from));
  return length >= DRAWN * (to - from);
}
