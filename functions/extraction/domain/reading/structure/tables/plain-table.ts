import type { RuledLine } from '../rules/ruled-lines.ts';
import { buildGrid, type GridTable, type Separator, undrawn } from './grid.ts';
import type { Gutter } from './gutters.ts';
import { findTableBody, type TableBody } from './table-body.ts';
import { crosses, type TableRow, tableRows, WELL_INTO } from './table-rows.ts';
import { BETWEEN_COLUMNS, chunksOf, findTextRows } from './text-rows.ts';
import type { Word } from './words.ts';

/**
 * The search for columns grows with the square of the rows, and a sheet of sixty rows has a thousand words. More of them than
 * this are a pattern, which a few kilobytes can draw.
 */
const MAX_WORDS = 5_000;

/**
 * A table without vertical rules: its body is where rows of text keep to the same columns, the columns lie between the white gutters of
 * the body, and horizontal rules, if any, separate the rows.
 * @param words joined only where letters are close, so that neighbouring columns do not merge.
 */
export function findPlainTable(
  words: readonly Word[],
  horizontal: readonly RuledLine[],
  letterHeight: number,
): GridTable | null {
  if (words.length > MAX_WORDS) return null;
  const lines = findTextRows(words, letterHeight);
  const body = findTableBody(lines, letterHeight);
  if (!body || body.rows.length < 3 || body.gutters.length < 2) return null;
  const borders = columnBorders(body, letterHeight);
  const rows = tableRows(lines, body, borders, horizontal, letterHeight);
  const rules = horizontal.filter(({ from, to }) => to - from > 0.5 * (borders.at(-1)! - borders[0]!));
  const between = rowBorders(rows, letterHeight);
  const grid = buildGrid(
    between.map((at) => undrawn(at)),
    columnSeparators(borders, body.gutters, rows, between, letterHeight),
    rules.length > 3 ? 'horizontal' : 'plain',
  );
  return aroundWords(grid, rows, body.gutters, borders, letterHeight);
}

/**
 * Moves the sides of cells off the words that they would cut: `4.5` in a column of lone digits begins in the white to their left, and a
 * header is wider than its column.
 */
function aroundWords(
  grid: GridTable,
  rows: readonly TableRow[],
  gutters: readonly Gutter[],
  borders: readonly number[],
  letterHeight: number,
): GridTable {
  const cuts = rows.map((row) => {
    const words = wordsOf(row);
    const texts = textOfEachColumn(row, gutters, letterHeight);
    return borders.map((at, index) => {
      const gutter = gutters[index - 1];
      if (!gutter) return at;
      if (texts) return betweenTexts(texts[index - 1]!, texts[index]!, at, letterHeight);
      return cutBetween(words, gutter, at, letterHeight);
    });
  });
  const cells = grid.cells.map((cell) => {
    const side = (column: number, otherwise: number) => (cell.rowSpan === 1 ? cuts[cell.row]![column]! : otherwise);
    return {
      ...cell,
      left: side(cell.column, cell.left),
      right: side(cell.column + cell.columnSpan, cell.right),
    };
  });
  return { ...grid, cells };
}

/** Minimum part of a word, in letter heights, on each side of a gutter for it to be two columns' text. */
const TWO_TEXTS = 1.5;

/** Where a row's columns separate: at the border, or next to a word that crosses it but belongs to one column. */
function cutBetween(words: readonly Word[], { from, to }: Gutter, border: number, letterHeight: number): number {
  if (!words.some(({ left, right }) => left < border && right > border)) return border;
  const before: Word[] = [];
  const after: Word[] = [];
  for (const word of words) {
    const inBoth = Math.min(from - word.left, word.right - to) > TWO_TEXTS * letterHeight;
    if (inBoth) return border;
    (word.left + word.right < from + to ? before : after).push(word);
  }
  const end = Math.max(...before.map(({ right }) => right));
  const start = Math.min(...after.map(({ left }) => left));
  return end >= start ? border : betweenTexts({ right: end }, { left: start }, border, letterHeight);
}

/** As close to the border as possible with white on both sides. */
function betweenTexts(
  before: Pick<Word, 'right'>,
  after: Pick<Word, 'left'>,
  border: number,
  letterHeight: number,
): number {
  const white = Math.min(letterHeight, after.left - before.right) / 2;
  return Math.min(Math.max(border, before.right + white), after.left - white);
}

/**
 * The texts of a row that has one in each column, from left to right; null for another row. A header that is much wider than its numbers
 * begins in the white behind those of the column before it.
 */
function textOfEachColumn(
  row: TableRow,
  gutters: readonly Gutter[],
  letterHeight: number,
): readonly Pick<Word, 'left' | 'right'>[] | null {
  const texts = chunksOf(wordsOf(row), BETWEEN_COLUMNS * letterHeight);
  const isEachInItsColumn =
    texts.length === gutters.length + 1 &&
    gutters.every(({ from, to }, index) => texts[index]!.left < from && texts[index + 1]!.right > to);
  return isEachInItsColumn ? texts : null;
}

function wordsOf({ lines }: TableRow): readonly Word[] {
  return lines.flatMap((line) => line.words);
}

function columnBorders({ rows, gutters, left, right }: TableBody, letterHeight: number): readonly number[] {
  const words = rows.flatMap((row) => row.words);
  const middles = gutters.map(({ from, to }) => (from + to) / 2);
  const first = Math.min(left, ...words.map((word) => word.left));
  const last = Math.max(right, ...words.map((word) => word.right));
  return [Math.max(0, first - 0.5 * letterHeight), ...middles, last + 0.5 * letterHeight];
}

function rowBorders(rows: readonly TableRow[], letterHeight: number): readonly number[] {
  const between = rows.slice(1).map((row, index) => (rows[index]!.bottom + row.top) / 2);
  return [rows[0]!.top - 0.4 * letterHeight, ...between, rows.at(-1)!.bottom + 0.4 * letterHeight];
}

/** Letter heights that one word must reach into either column before the text of a full row is taken for no column's. */
const ONE_TEXT = 3;

/** Group headings and totals reach over several columns: there the border is not drawn, and the cells are one. */
function columnSeparators(
  borders: readonly number[],
  gutters: readonly Gutter[],
  rows: readonly TableRow[],
  rowBorders: readonly number[],
  letterHeight: number,
): readonly Separator[] {
  return borders.map((at, index) => {
    if (index === 0 || index === borders.length - 1) return undrawn(at);
    const pieces = rows.flatMap((tableRow, row) => {
      const reach = (tableRow.full.length > 0 ? ONE_TEXT : WELL_INTO) * letterHeight;
      const isOneText =
        textOfEachColumn(tableRow, gutters, letterHeight) === null &&
        wordsOf(tableRow).some((word) => crosses(word, at, reach));
      return isOneText ? [] : [{ from: rowBorders[row]!, to: rowBorders[row + 1]! }];
    });
    return { at, slope: 0, pieces };
  });
}
