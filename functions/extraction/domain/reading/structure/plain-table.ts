import type { Component } from './components.ts';
import { buildGrid, type GridTable, middleOf, positionAt, undrawn } from './grid.ts';
import type { RuledLine } from './ruled-lines.ts';
import { countChunks, findTextRows, type TextRow } from './text-rows.ts';
import type { Word } from './words.ts';

/** Groups that a row of a table shows at least. */
const MIN_CHUNKS = 3;
/** Part of the rows that may reach into the white between two columns: headers and totals bridge them. */
const TOLERATED_BRIDGES = 0.06;

/** A column that fewer of the rows fill is none. */
const EMPTY_SHARE = 0.12;

/** A table without vertical rules: rows from the text, columns from the white rivers between them. */
export function findPlainTable(
  words: readonly Word[],
  components: readonly Component[],
  horizontal: readonly RuledLine[],
  letterHeight: number,
): GridTable | null {
  const stretch = tableRows(findTextRows(words, letterHeight), letterHeight);
  if (stretch.length < 3) return null;
  const profile = new InkProfile(stretch, components, letterHeight);
  const body = profile.regularRows();
  const block = withHeaderAndTotal(stretch, body, letterHeight);
  const columns = profile.columnsOf(body);
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

/** Around the regular rows only what stands close: up to three lines of header; totals and further rows below. */
function withHeaderAndTotal(
  stretch: readonly TextRow[],
  body: readonly TextRow[],
  letterHeight: number,
): readonly TextRow[] {
  let first = stretch.indexOf(body[0]!);
  let last = stretch.indexOf(body.at(-1)!);
  const tabular = (row: TextRow) => countChunks(row, 0.9 * letterHeight) >= MIN_CHUNKS;
  for (let n = 0; n < 3 && first > 0 && near(stretch[first - 1]!, stretch[first]!, letterHeight); n++) first--;
  for (let n = 0; last + 1 < stretch.length && near(stretch[last]!, stretch[last + 1]!, letterHeight); n++) {
    if (n >= 2 && !tabular(stretch[last + 1]!)) break;
    last++;
  }
  return stretch.slice(first, last + 1);
}

function near(above: TextRow, below: TextRow, letterHeight: number): boolean {
  return below.top - above.bottom < 2.2 * letterHeight;
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

interface River {
  readonly from: number;
  readonly to: number;
}

/** Which rows have ink where, along x. */
class InkProfile {
  readonly #rows: readonly TextRow[];
  readonly #ink = new Map<TextRow, Uint8Array>();
  readonly #left: number;
  readonly #width: number;
  readonly #letterHeight: number;

  constructor(rows: readonly TextRow[], components: readonly Component[], letterHeight: number) {
    this.#rows = rows;
    this.#letterHeight = letterHeight;
    this.#left = Math.min(...rows.flatMap((row) => row.words.map((word) => word.left)));
    this.#width = Math.max(...rows.flatMap((row) => row.words.map((word) => word.right))) - this.#left + 1;
    for (const row of rows) {
      const ink = new Uint8Array(this.#width);
      for (const part of components) {
        const y = (part.top + part.bottom) / 2;
        if (y >= row.top && y <= row.bottom && part.right - part.left < 12 * letterHeight)
          ink.fill(1, Math.max(0, part.left - this.#left), Math.max(0, part.right - this.#left));
      }
      this.#ink.set(row, ink);
    }
  }

  /** Rows that keep to the columns of most rows: titles, tool bars, headers and totals do not. */
  regularRows(): readonly TextRow[] {
    const tabular = this.#rows.filter((row) => countChunks(row, 0.9 * this.#letterHeight) >= MIN_CHUNKS);
    const likely = this.#rivers(tabular, tabular.length >= 4 ? Math.max(1, Math.floor(0.22 * tabular.length)) : 0);
    const regular = tabular.filter((row) => {
      const ink = this.#ink.get(row)!;
      return likely.filter(({ from, to }) => ink.subarray(from, to).includes(1)).length <= 1;
    });
    return regular.length >= 2 ? regular : tabular;
  }

  /** Borders of the columns that these rows keep to, the outer ones included. */
  columnsOf(rows: readonly TextRow[]): readonly number[] {
    const count = this.#count(rows);
    const inked = [...count.keys()].filter((x) => count[x]! > 0);
    const left = this.#left + (inked[0] ?? 0);
    const right = this.#left + (inked.at(-1) ?? 0);
    const rivers = this.#rivers(rows, Math.floor(rows.length * TOLERATED_BRIDGES));
    const middles = withoutEmptyColumns(rivers, count, rows.length).map(({ from, to }) => this.#left + (from + to) / 2);
    return [left - 0.5 * this.#letterHeight, ...middles, right + 0.5 * this.#letterHeight];
  }

  #count(rows: readonly TextRow[]): Uint16Array {
    const count = new Uint16Array(this.#width);
    for (const row of rows) {
      const ink = this.#ink.get(row)!;
      for (let x = 0; x < count.length; x++) count[x]! += ink[x]!;
    }
    return count;
  }

  /** White between two inked stretches, at least 0.4 letter heights wide. */
  #rivers(rows: readonly TextRow[], tolerated: number): readonly River[] {
    const count = this.#count(rows);
    const rivers: River[] = [];
    let start = -1;
    let inkBefore = false;
    for (let x = 0; x < count.length; x++) {
      if (count[x]! <= tolerated) {
        if (start < 0) start = x;
      } else {
        if (start >= 0 && inkBefore && x - start >= 0.4 * this.#letterHeight) rivers.push({ from: start, to: x });
        start = -1;
        inkBefore = true;
      }
    }
    return rivers;
  }
}

/** What only a header or a total fills is no column: it goes to the neighbour across the narrower river. */
function withoutEmptyColumns(rivers: readonly River[], count: Uint16Array, rowCount: number): readonly River[] {
  const kept = [...rivers];
  for (let i = 0; i + 1 < kept.length; ) {
    const most = Math.max(...count.subarray(kept[i]!.to, kept[i + 1]!.from));
    const width = (index: number) => kept[index]!.to - kept[index]!.from;
    if (most > Math.max(1, EMPTY_SHARE * rowCount)) i++;
    else kept.splice(width(i) < width(i + 1) ? i : i + 1, 1);
  }
  return kept;
}

/**
 * Borders of the rows, the outer ones included. Text between two rules is one row where the rows are ruled; elsewhere a line
 * of a wrapped name belongs to the row that it stands closest to.
 */
function rowBorders(block: readonly TextRow[], rules: readonly RuledLine[], letterHeight: number): readonly number[] {
  const within = rules
    .map((line) => positionAt(line, middleOf(line)))
    .filter((y) => y > centerOf(block[0]!) && y < centerOf(block.at(-1)!));
  const rows =
    within.length >= 0.6 * (block.length - 1) ? rowsBetween(block, within) : rowsByAnchor(block, letterHeight);
  const borders = [rows[0]!.top - 0.4 * letterHeight];
  for (let i = 0; i + 1 < rows.length; i++) borders.push((rows[i]!.bottom + rows[i + 1]!.top) / 2);
  borders.push(rows.at(-1)!.bottom + 0.4 * letterHeight);
  return borders;
}

interface Stretch {
  readonly top: number;
  readonly bottom: number;
}

function rowsBetween(block: readonly TextRow[], rules: readonly number[]): readonly Stretch[] {
  const rows: Stretch[] = [];
  for (const [index, line] of block.entries()) {
    const above = block[index - 1];
    const ruled = above && rules.some((y) => y > centerOf(above) && y < centerOf(line));
    if (above && !ruled) rows[rows.length - 1] = { top: rows.at(-1)!.top, bottom: line.bottom };
    else rows.push(line);
  }
  return rows;
}

/** Lines with several columns are rows; what stands alone is drawn to the nearer of them, or is a row of its own. */
function rowsByAnchor(block: readonly TextRow[], letterHeight: number): readonly Stretch[] {
  const anchors = block.filter((line) => countChunks(line, 0.9 * letterHeight) >= MIN_CHUNKS);
  const rows = new Map<TextRow, Stretch>();
  for (const line of block) {
    const owner = anchors.includes(line) ? line : (ownerOf(line, anchors, letterHeight) ?? line);
    const row = rows.get(owner) ?? { top: owner.top, bottom: owner.bottom };
    rows.set(owner, { top: Math.min(row.top, line.top), bottom: Math.max(row.bottom, line.bottom) });
  }
  return [...rows.values()].sort((a, b) => a.top - b.top);
}

function ownerOf(line: TextRow, anchors: readonly TextRow[], letterHeight: number): TextRow | undefined {
  const far = (anchor: TextRow) => Math.abs(centerOf(anchor) - centerOf(line));
  const [nearest, second] = [...anchors].sort((a, b) => far(a) - far(b));
  const close = nearest && far(nearest) <= 1.7 * letterHeight && (!second || far(nearest) <= 0.75 * far(second));
  return close ? nearest : undefined;
}

function centerOf({ top, bottom }: Stretch): number {
  return (top + bottom) / 2;
}
