import type { Grid } from './grid.ts';

/** One may part two sections of a list. */
const EMPTY_ROWS = 2;

/**
 * Whether a list ends within its form: empty rows stand between its last line and the last row of the frame, so that what the picture's edge
 * has cut away below is no line of it. The last row itself proves nothing, since the edge may run through its print.
 */
export function endsWithin(grid: Grid, lastLine: number): boolean {
  let empty = 0;
  for (let row = lastLine + 1; row < grid.rowCount - 1; row++) {
    const starts = Array.from({ length: grid.columnCount }, (_, column) => grid.at(row, column)).some(Boolean);
    if (starts && grid.inked(row).length === 0) empty++;
  }
  return empty >= EMPTY_ROWS;
}
