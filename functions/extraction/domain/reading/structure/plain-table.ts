import type { Component } from './components.ts';
import { buildGrid, type GridTable, middleOf, positionAt, undrawn } from './grid.ts';
import type { RuledLine } from './ruled-lines.ts';
import { countChunks, findTextRows, type TextRow } from './text-rows.ts';
import type { Word } from './words.ts';

/** Groups that a row of a table shows at least. */
const MIN_CHUNKS = 3;
/** Part of the rows that may reach into the white between two columns: headers and totals bridge them. */
const TOLERATED_BRIDGES = 0.06;

/** A table without vertical rules: rows from the text, columns from the white rivers between them. */
export function findPlainTable(
  words: readonly Word[],
  components: readonly Component[],
  horizontal: readonly RuledLine[],
  letterHeight: number,
): GridTable | null {
  const block = tableRows(findTextRows(words, letterHeight), letterHeight);
  if (block.length < 3) return null;
  const columns = findRivers(block, components, letterHeight);
  if (columns.length < 4) return null;
  const width = columns.at(-1)! - columns[0]!;
  const rules = horizontal.filter((line) => line.to - line.from > 0.5 * width);
  const rows = rowBorders(block, rules, letterHeight);
  return buildGrid(
    rows.map((at) => undrawn(at)),
    columns.map((at) => undrawn(at)),
    rules.length > 3 ? 'horizontal' : 'plain',
  );
}

/** The longest stretch of rows that look tabular; rows of a wrapped cell may stand in between. */
function tableRows(rows: readonly TextRow[], letterHeight: number): readonly TextRow[] {
  const chunks = rows.map((row) => countChunks(row, 0.9 * letterHeight));
  let best: readonly TextRow[] = [];
  let bestScore = 0;
  for (let from = 0; from < rows.length; from++) {
    if (chunks[from]! < MIN_CHUNKS) continue;
    let last = from;
    let score = chunks[from]!;
    for (let next = from + 1; next < rows.length && next - last <= 3; next++) {
      if (rows[next]!.top - rows[last]!.bottom > 4.5 * letterHeight) break;
      if (chunks[next]! < MIN_CHUNKS) continue;
      score += chunks[next]!;
      last = next;
    }
    if (score > bestScore) {
      bestScore = score;
      best = rows.slice(from, last + 1);
    }
    from = last;
  }
  return best;
}

/** Borders of the columns, the outer ones included. */
function findRivers(
  block: readonly TextRow[],
  components: readonly Component[],
  letterHeight: number,
): readonly number[] {
  const left = Math.min(...block.flatMap((row) => row.words.map((word) => word.left)));
  const right = Math.max(...block.flatMap((row) => row.words.map((word) => word.right)));
  const body = block.filter((row) => countChunks(row, 0.9 * letterHeight) >= MIN_CHUNKS);
  const count = new Uint16Array(right - left + 1);
  for (const row of body) {
    const inked = new Uint8Array(count.length);
    for (const part of components) {
      const y = (part.top + part.bottom) / 2;
      if (y >= row.top && y <= row.bottom && part.right - part.left < 12 * letterHeight)
        inked.fill(1, Math.max(0, part.left - left), Math.max(0, part.right - left));
    }
    for (let x = 0; x < count.length; x++) count[x]! += inked[x]!;
  }
  const tolerated = Math.floor(body.length * TOLERATED_BRIDGES);
  const borders = [left - 0.5 * letterHeight];
  let start = -1;
  for (let x = 0; x < count.length; x++) {
    if (count[x]! <= tolerated) {
      if (start < 0) start = x;
    } else if (start >= 0) {
      if (start > 0 && x - start >= 0.4 * letterHeight) borders.push(left + (start + x) / 2);
      start = -1;
    }
  }
  borders.push(right + 0.5 * letterHeight);
  return borders;
}

/** Borders of the rows, the outer ones included. Where most rows are ruled, text between two rules is one row. */
function rowBorders(block: readonly TextRow[], rules: readonly RuledLine[], letterHeight: number): readonly number[] {
  const ruled = rules.length >= 0.5 * block.length;
  const borders = [block[0]!.top - 0.4 * letterHeight];
  for (let i = 0; i + 1 < block.length; i++) {
    const above = (block[i]!.top + block[i]!.bottom) / 2;
    const below = (block[i + 1]!.top + block[i + 1]!.bottom) / 2;
    const rule = rules.some((line) => {
      const y = positionAt(line, middleOf(line));
      return y > above && y < below;
    });
    if (!ruled || rule) borders.push((block[i]!.bottom + block[i + 1]!.top) / 2);
  }
  borders.push(block.at(-1)!.bottom + 0.4 * letterHeight);
  return borders;
}
