import { buildGrid, contains, type GridTable, middleOf, positionAt, type Separator, undrawn } from './grid.ts';
import type { RuledLine } from './ruled-lines.ts';
import { findTextRows } from './text-rows.ts';
import type { Word } from './words.ts';

interface Frame {
  readonly horizontal: RuledLine[];
  readonly vertical: RuledLine[];
}

/** Tables whose columns are ruled. Rows may be ruled too, or only some of them (the header, the frame). */
export function findRuledTables(
  horizontal: readonly RuledLine[],
  vertical: readonly RuledLine[],
  words: readonly Word[],
  letterHeight: number,
): readonly GridTable[] {
  return findFrames(horizontal, vertical, letterHeight).flatMap((frame) => tableIn(frame, words, letterHeight) ?? []);
}

/** Lines that meet belong to one frame. */
function findFrames(
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
  const frames = new Map<number, Frame>();
  const frameOf = (index: number): Frame => {
    const root = find(index);
    const frame = frames.get(root) ?? { horizontal: [], vertical: [] };
    frames.set(root, frame);
    return frame;
  };
  horizontal.forEach((line, index) => {
    frameOf(index).horizontal.push(line);
  });
  vertical.forEach((line, index) => {
    frameOf(horizontal.length + index).vertical.push(line);
  });
  return [...frames.values()].filter((frame) => frame.horizontal.length >= 2 && frame.vertical.length >= 2);
}

function tableIn({ horizontal, vertical }: Frame, words: readonly Word[], letterHeight: number): GridTable | null {
  const left = Math.min(...horizontal.map(({ from }) => from));
  const right = Math.max(...horizontal.map(({ to }) => to));
  const top = Math.min(...vertical.map(({ from }) => from));
  const bottom = Math.max(...vertical.map(({ to }) => to));
  const columns = closeSides(toSeparators(vertical, (top + bottom) / 2, 0.5 * letterHeight), left, right, letterHeight);
  const within = words.filter((word) => contains({ left, top, right, bottom }, word));
  const ruledRows = closeSides(
    toSeparators(horizontal, (left + right) / 2, 0.4 * letterHeight),
    top,
    bottom,
    letterHeight,
  );
  const rows = splitTallBands(ruledRows, within, letterHeight);
  return columns.length >= 3 && rows.length >= 3 ? buildGrid(rows, columns, 'ruled') : null;
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

/** Between ruled lines that stand far apart, rows are told by their text. */
function splitTallBands(
  rows: readonly Separator[],
  words: readonly Word[],
  letterHeight: number,
): readonly Separator[] {
  return rows.flatMap((row, index) => {
    const next = rows[index + 1];
    if (!next || next.at - row.at < 5 * letterHeight) return [row];
    const band = words.filter(
      (word) => (word.top + word.bottom) / 2 > row.at && (word.top + word.bottom) / 2 < next.at,
    );
    const lines = findTextRows(band, letterHeight);
    if (lines.length < 3) return [row];
    const between = lines.slice(1).map((line, i) => undrawn((lines[i]!.bottom + line.top) / 2, row.slope));
    return [row, ...between];
  });
}
