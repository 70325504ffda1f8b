import type { RuledLine } from '../rules/ruled-lines.ts';
import { type Extent, middleOf, positionAt } from './grid.ts';
import type { TableBody } from './table-body.ts';
import { filledShare, type TextRow } from './text-rows.ts';

/** A row of a table: one line of text, or several when cells are wrapped. */
export interface TableRow {
  readonly top: number;
  readonly bottom: number;
  readonly lines: readonly TextRow[];
  /** Those of its lines that fill most of the columns. */
  readonly full: readonly TextRow[];
}

/** Evidence by which rows are separated. */
interface Layout {
  readonly borders: readonly number[];
  /** Where horizontal rules lie, top to bottom. */
  readonly rules: readonly number[];
  readonly letterHeight: number;
  /** Usual distance of two rows. */
  readonly pitch: number;
  /** Distance of the two closest rows. */
  readonly nearest: number;
}

/** Lines that a header may add above the body, and totals below. */
const MAX_HEADER_LINES = 3;
const MAX_TOTAL_LINES = 2;

/**
 * The rows of the table around a body: wrapped lines are put together, the header and the totals are taken along.
 * @param borders of the columns, the outer ones included.
 */
export function tableRows(
  rows: readonly TextRow[],
  body: TableBody,
  borders: readonly number[],
  horizontal: readonly RuledLine[],
  letterHeight: number,
): readonly TableRow[] {
  const width = borders.at(-1)! - borders[0]!;
  const rules = horizontal
    .filter(({ from, to }) => Math.min(to, borders.at(-1)!) - Math.max(from, borders[0]!) > 0.5 * width)
    .map((line) => positionAt(line, middleOf(line)))
    .sort((a, b) => a - b);
  const layout = { borders, rules, letterHeight, ...distancesOf(body.rows, borders, letterHeight) };
  const first = firstLine(rows, body, layout);
  const last = lastLine(rows, body, layout);
  return groupLines(rows.slice(first, last + 1), layout);
}

function isFull(line: TextRow, borders: readonly number[]): boolean {
  return filledShare(line, borders) >= 0.5;
}

function distancesOf(
  rows: readonly TextRow[],
  borders: readonly number[],
  letterHeight: number,
): { pitch: number; nearest: number } {
  const full = rows.filter((row) => isFull(row, borders));
  const steps = full.slice(1).map((row, index) => centerOf(row) - centerOf(full[index]!));
  steps.sort((a, b) => a - b);
  return { pitch: steps[steps.length >> 1] ?? 2 * letterHeight, nearest: steps[0] ?? 2 * letterHeight };
}

/** The highest line above that belongs to a header; a section's name may lie between the header and the body. */
function firstLine(rows: readonly TextRow[], body: TableBody, { borders, rules, letterHeight }: Layout): number {
  let first = body.first;
  for (let index = body.first - 1; index >= Math.max(0, body.first - MAX_HEADER_LINES); index--) {
    const line = rows[index]!;
    const below = rows[index + 1]!;
    const gap = below.top - line.bottom;
    if (gap > 2.2 * letterHeight) break;
    const framed = rules.some((y) => y < centerOf(line) && y > line.top - 2 * letterHeight);
    const share = filledShare(line, borders);
    const cutOff = ruleBetween(line, below, rules);
    if (framed || (!cutOff && (share >= 0.5 || (share >= 0.3 && gap < letterHeight)))) first = index;
  }
  return first;
}

function lastLine(rows: readonly TextRow[], body: TableBody, { rules, letterHeight, pitch }: Layout): number {
  let last = body.last;
  for (let n = 0; n < MAX_TOTAL_LINES && last + 1 < rows.length; n++) {
    const line = rows[last + 1]!;
    const framed = rules.some((y) => y > centerOf(line) && y < line.bottom + 2 * letterHeight);
    if (centerOf(line) - centerOf(rows[last]!) > (framed ? 2 : 1.3) * pitch) break;
    last++;
  }
  return last;
}

/** Full lines are rows; the others join a close row, or are separate rows. */
function groupLines(lines: readonly TextRow[], layout: Layout): readonly TableRow[] {
  const anchors = lines.filter((line) => isFull(line, layout.borders));
  const groups = new Map<TextRow, TextRow[]>(lines.map((line) => [line, []]));
  for (const line of lines) {
    const owner = anchors.includes(line) ? line : (ownerOf(line, anchors, layout) ?? line);
    groups.get(owner)!.push(line);
  }
  return [...groups]
    .filter(([, group]) => group.length > 0)
    .map(([, group]) => toRow(group, anchors))
    .sort((a, b) => a.top - b.top);
}

function ownerOf(line: TextRow, anchors: readonly TextRow[], layout: Layout): TextRow | undefined {
  const { borders, rules, letterHeight, pitch } = layout;
  if (line.words.some((word) => crossesBorder(word, borders, letterHeight))) return undefined;
  const far = (anchor: TextRow) => Math.abs(centerOf(anchor) - centerOf(line));
  const reachable = anchors.filter((anchor) => !ruleBetween(anchor, line, rules)).sort((a, b) => far(a) - far(b));
  const [nearest] = reachable;
  if (!nearest || far(nearest) > 2.6 * letterHeight) return undefined;
  const above = centerOf(nearest) < centerOf(line);
  const opposite = reachable.find((anchor) => centerOf(anchor) < centerOf(line) !== above);
  const close = far(nearest) <= 0.75 * pitch || (opposite !== undefined && far(nearest) <= 0.8 * far(opposite));
  return close ? nearest : undefined;
}

function toRow(lines: readonly TextRow[], anchors: readonly TextRow[]): TableRow {
  return {
    top: Math.min(...lines.map(({ top }) => top)),
    bottom: Math.max(...lines.map(({ bottom }) => bottom)),
    lines,
    full: lines.filter((line) => anchors.includes(line)),
  };
}

/** In letter heights. */
export const WELL_INTO = 0.6;

/** Whether a word belongs to two columns: it reaches well into both. */
export function crossesBorder(word: Extent, borders: readonly number[], letterHeight: number): boolean {
  return borders.slice(1, -1).some((at) => crosses(word, at, WELL_INTO * letterHeight));
}

export function crosses({ left, right }: Extent, at: number, reach: number): boolean {
  return left < at - reach && right > at + reach;
}

interface Stretch {
  readonly top: number;
  readonly bottom: number;
}

function ruleBetween(a: Stretch, b: Stretch, rules: readonly number[]): boolean {
  const [above, below] = centerOf(a) < centerOf(b) ? [a, b] : [b, a];
  return rules.some((y) => y > centerOf(above) && y < centerOf(below));
}

function centerOf({ top, bottom }: Stretch): number {
  return (top + bottom) / 2;
}
