import { buildGrid, type GridTable, type Separator, undrawn } from './grid.ts';
import type { River } from './rivers.ts';
import type { RuledLine } from './ruled-lines.ts';
import { findTableBody } from './table-body.ts';
import { crosses, type TableRow, tableRows } from './table-rows.ts';
import { findTextRows, type TextRow } from './text-rows.ts';
import type { Word } from './words.ts';

/**
 * A table without vertical rules: its body is where rows of text keep to the same columns, the columns lie between the
 * white rivers of the body, and horizontal rules, where there are some, part the rows.
 * @param words put together only where letters stand close, so that neighbouring columns do not grow together.
 */
export function findPlainTable(
  words: readonly Word[],
  horizontal: readonly RuledLine[],
  letterHeight: number,
): GridTable | null {
  const lines = findTextRows(words, letterHeight);
  const body = findTableBody(lines, letterHeight);
  if (!body || body.rows.length < 3 || body.rivers.length < 2) return null;
  const borders = columnBorders(body.rows, body.rivers, letterHeight);
  const rows = tableRows(lines, body, borders, horizontal, letterHeight);
  const rules = horizontal.filter(({ from, to }) => to - from > 0.5 * (borders.at(-1)! - borders[0]!));
  return buildGrid(
    rowBorders(rows, letterHeight).map((at) => undrawn(at)),
    columnSeparators(borders, rows, letterHeight),
    rules.length > 3 ? 'horizontal' : 'plain',
  );
}

function columnBorders(rows: readonly TextRow[], rivers: readonly River[], letterHeight: number): readonly number[] {
  const left = Math.min(...rows.flatMap(({ words }) => words.map((word) => word.left)));
  const right = Math.max(...rows.flatMap(({ words }) => words.map((word) => word.right)));
  const middles = rivers.map(({ from, to }) => (from + to) / 2);
  return [Math.max(0, left - 0.5 * letterHeight), ...middles, right + 0.5 * letterHeight];
}

function rowBorders(rows: readonly TableRow[], letterHeight: number): readonly number[] {
  const between = rows.slice(1).map((row, index) => (rows[index]!.bottom + row.top) / 2);
  return [rows[0]!.top - 0.4 * letterHeight, ...between, rows.at(-1)!.bottom + 0.4 * letterHeight];
}

/** Group headings and totals reach over several columns: there the border is not drawn, and the cells are one. */
function columnSeparators(
  borders: readonly number[],
  rows: readonly TableRow[],
  letterHeight: number,
): readonly Separator[] {
  return borders.map((at, index) => {
    if (index === 0 || index === borders.length - 1) return undrawn(at);
    const apart = rows.filter(
      ({ full, lines }) =>
        full.length > 0 || !lines.some(({ words }) => words.some((word) => crosses(word, at, letterHeight))),
    );
    return {
      at,
      slope: 0,
      pieces: apart.map(({ top, bottom }) => ({ from: top - letterHeight, to: bottom + letterHeight })),
    };
  });
}
