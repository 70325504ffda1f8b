import type { RuledLine } from '../rules/ruled-line.ts';
import { crossesBorder } from './crosses-border.ts';
import { buildGrid, contains, type GridTable, middleOf, positionAt, type Separator, undrawn } from './grid.ts';
import { splitGridsBeside } from './grids-beside.ts';
import { partMergedCells } from './part-merged-cells.ts';
import { type Frame, splitStackedGrids } from './stacked-grids.ts';
import { splitTallBands } from './tall-bands.ts';
import { filledShare, findTextRows, type TextRow } from './text-rows.ts';
import type { Word, Words } from './words.ts';

const MAX_ROWS_ABOVE = 2;
/** Part of the columns that a header without a frame fills: most, or it is a line of text like any other. */
const HEADER_SHARE = 0.7;
/** In letter heights: a taller word is not a header's but a mark drawn over it. */
const MAX_WORD_HEIGHT = 2;
/** A lower word is only part of a letter, such as the consonant below a syllable, or a speck. */
const MIN_WORD_HEIGHT = 0.6;

/**
 * Tables whose columns are ruled. Rows may be ruled too, or only some of them (the header, the frame).
 * @param frames without rules that shine through from the other side.
 * @param narrow the same print split into words at narrower blanks: in a tight header the words of two columns are as close as letters.
 */
export function findRuledTables(
  frames: readonly Frame[],
  words: readonly Word[],
  narrow: Words,
  letterHeight: number,
): readonly GridTable[] {
  return frames
    .flatMap((frame) => splitStackedGrids(frame, letterHeight))
    .flatMap((frame) => splitGridsBeside(frame, letterHeight))
    .flatMap((frame) => tableIn(frame, words, narrow, letterHeight) ?? []);
}

/** Lines that meet belong to one frame, if it is not two grids side by side. */
export function findFrames(
  horizontal: readonly RuledLine[],
  vertical: readonly RuledLine[],
  letterHeight: number,
): readonly Frame[] {
  const slack = 0.5 * letterHeight;
  const parent = Array.from({ length: horizontal.length + vertical.length }, (_, index) => index);
  const find = (index: number): number => {
    let root = index;
    while (parent[root] !== root) {
      parent[root] = parent[parent[root]!]!;
      root = parent[root]!;
    }
    return root;
  };
  horizontal.forEach((row, i) => {
    vertical.forEach((column, j) => {
      const x = positionAt(column, positionAt(row, middleOf(row)));
      const y = positionAt(row, x);
      const meets = x >= row.from - slack && x <= row.to + slack && y >= column.from - slack && y <= column.to + slack;
      if (meets) parent[find(i)] = find(horizontal.length + j);
    });
  });
  const frames = new Map<number, { horizontal: RuledLine[]; vertical: RuledLine[] }>();
  const frameOf = (index: number) => {
    const root = find(index);
    const frame: { horizontal: RuledLine[]; vertical: RuledLine[] } = frames.get(root) ?? {
      horizontal: [],
      vertical: [],
    };
    frames.set(root, frame);
    return frame;
  };
  horizontal.forEach((line, index) => {
    frameOf(index).horizontal.push(line);
  });
  vertical.forEach((line, index) => {
    frameOf(horizontal.length + index).vertical.push(line);
  });
  return [...frames.values()]
    .filter((frame) => frame.horizontal.length >= 2 && frame.vertical.length >= 2)
    .flatMap((frame) => splitGridsBeside(frame, letterHeight));
}

function tableIn(
  { horizontal, vertical }: Frame,
  words: readonly Word[],
  narrow: Words,
  letterHeight: number,
): GridTable | null {
  const left = Math.min(...horizontal.map(({ from }) => from));
  const right = Math.max(...horizontal.map(({ to }) => to));
  const top = Math.min(...vertical.map(({ from }) => from));
  const bottom = Math.max(...vertical.map(({ to }) => to));
  const columns = closeSides(toSeparators(vertical, (top + bottom) / 2, 0.5 * letterHeight), left, right, letterHeight);
  const ruledRows = closeSides(
    toSeparators(horizontal, (left + right) / 2, 0.4 * letterHeight),
    top,
    bottom,
    letterHeight,
  );
  const header = headersAbove(ruledRows[0]!, columns, narrow.tight, letterHeight);
  const within = [
    ...words.filter((word) => contains({ left, top, right, bottom }, word)),
    ...narrow.tight.filter((word) => contains({ left, top: header[0]?.at ?? top, right, bottom: top }, word)),
  ];
  const rows = splitTallBands([...header, ...ruledRows], columns, within, letterHeight);
  if (columns.length < 3 || rows.length < 3) return null;
  const through = header.map(({ at: from }) => ({ from, to: ruledRows[0]!.at }));
  const grid = buildGrid(
    rows,
    columns.map((column) => ({ ...column, pieces: column.pieces && [...column.pieces, ...through] })),
  );
  return partMergedCells(grid, rows, columns, narrow, letterHeight);
}

/**
 * A header on a fill as dark as the rules hides them, and so does the first line where it is selected and its fill is the same: one or two rows of
 * text right above the frame that keep to its columns.
 */
function headersAbove(
  top: Separator,
  columns: readonly Separator[],
  words: readonly Word[],
  letterHeight: number,
): readonly Separator[] {
  const borders = columns.map((column) => positionAt(column, top.at));
  const [left, right] = [borders[0]! - letterHeight, borders.at(-1)! + letterHeight];
  const above = words.filter(
    (word) =>
      word.right > left &&
      word.left < right &&
      (word.top + word.bottom) / 2 < top.at &&
      word.bottom - word.top > MIN_WORD_HEIGHT * letterHeight &&
      word.bottom - word.top < MAX_WORD_HEIGHT * letterHeight,
  );
  const keepsToColumns = (word: Word) =>
    word.left >= left &&
    word.right <= right &&
    (!crossesBorder(word, borders, letterHeight) || fillsColumns(word, borders, letterHeight));
  let [border, below] = [top.at, top.at];
  for (const [index, row] of rowsUpwards(findTextRows(above, letterHeight)).slice(0, MAX_ROWS_ABOVE).entries()) {
    if (below - row.bottom > letterHeight || !row.words.every(keepsToColumns)) break;
    if (filledShare(row, borders) >= HEADER_SHARE) border = row.top - 0.3 * letterHeight;
    else if (index > 0) break;
    below = row.top;
  }
  return border < top.at ? [undrawn(border, top.slope)] : [];
}

/** From the lowest: words of two lines are above and below the middle of a one-line word in the same row. */
function rowsUpwards(lines: readonly TextRow[]): readonly TextRow[] {
  const rows: TextRow[] = [];
  for (const line of lines.toReversed()) {
    const row = rows.at(-1);
    if (row && line.bottom > row.top)
      rows[rows.length - 1] = {
        top: Math.min(row.top, line.top),
        bottom: Math.max(row.bottom, line.bottom),
        words: [...row.words, ...line.words],
      };
    else rows.push(line);
  }
  return rows;
}

/** In letter heights: how near to both sides of its cell the word of a header that fills it comes. */
const FULL = 0.5;

/** Words of neighbouring headers that fill their cells are as close as letters: together they reach from one border to another. */
function fillsColumns({ left, right }: Word, borders: readonly number[], letterHeight: number): boolean {
  const isAt = (side: number) => borders.some((at) => Math.abs(at - side) <= FULL * letterHeight);
  return isAt(left) && isAt(right);
}

/** Joins the pieces of lines at about one place, in order. */
function toSeparators(lines: readonly RuledLine[], center: number, slack: number): readonly Separator[] {
  const groups: RuledLine[][] = [];
  for (const line of [...lines].sort((a, b) => positionAt(a, center) - positionAt(b, center))) {
    const group = groups.at(-1);
    if (group && Math.abs(positionAt(group[0]!, middleOf(line)) - positionAt(line, middleOf(line))) <= slack)
      group.push(line);
    else groups.push([line]);
  }
  return groups.map((group) => {
    const longest = group.reduce((a, b) => (b.to - b.from > a.to - a.from ? b : a));
    return { at: longest.at, slope: longest.slope, pieces: group };
  });
}

/** Many sheets rule between the columns only: the outer sides are where the crossing lines end. */
function closeSides(
  separators: readonly Separator[],
  start: number,
  end: number,
  letterHeight: number,
): readonly Separator[] {
  const closed = [...separators];
  if (closed.length === 0 || closed[0]!.at - start > 1.2 * letterHeight) closed.unshift(undrawn(start));
  if (end - positionAt(closed.at(-1)!, 0) > 1.2 * letterHeight) closed.push(undrawn(end));
  return closed;
}
