import { hullOf } from '../print.ts';
import { COUNT_FIELDS, type ColumnKind, NAME_KINDS } from './column-kinds.ts';
import type { Header, HeaderCell } from './find-headers.ts';

const NUMBERS: ReadonlySet<ColumnKind> = new Set(COUNT_FIELDS);

function isOf(set: ReadonlySet<ColumnKind>): (kind: ColumnKind | null) => boolean {
  return (kind) => kind !== null && set.has(kind);
}

/** The last word of the left half: a number's, before names and the same numbers are repeated. */
function lastOfLeft(kinds: readonly (ColumnKind | null)[]): number | null {
  const number = kinds.findIndex(isOf(NUMBERS));
  const again = kinds.findIndex((kind, index) => index > number && isOf(NAME_KINDS)(kind));
  if (number < 0 || again < 0 || !kinds.slice(0, number).some(isOf(NAME_KINDS))) return null;
  const last = again - beforeNames(kinds, again) - 1;
  const [left, right] = [kinds.slice(number, last + 1), kinds.slice(again)].map((half) => half.filter(isOf(NUMBERS)));
  return areSame(left!, right!) ? last : null;
}

/**
 * Number of words of the right half before its names: the same as in the left half if the words are equal (`No`); otherwise all words
 * behind the last number. Words before that belong to the left half, read or not.
 */
function beforeNames(kinds: readonly (ColumnKind | null)[], again: number): number {
  const before = kinds.slice(0, kinds.findIndex(isOf(NAME_KINDS)));
  const isAlike = before.every((kind, index) => kind !== null && kind === kinds[again - before.length + index]);
  return isAlike ? before.length : again - 1 - kinds.slice(0, again).findLastIndex(isOf(NUMBERS));
}

/** Fewer words of numbers in common may be chance where others differ. */
const MIN_COMMON = 2;

/** Whether both announce the same numbers in one order; a word of one or the other may not have been read. */
function areSame(left: readonly (ColumnKind | null)[], right: readonly (ColumnKind | null)[]): boolean {
  const [fewer, more] = left.length < right.length ? [left, right] : [right, left];
  let at = 0;
  for (const kind of more) if (kind === fewer[at]) at++;
  return at === fewer.length && (fewer.length === more.length || fewer.length >= MIN_COMMON);
}

/**
 * A list may run down the left half of its form and continue in the right one, below the same header words: a header for each half, with its part of
 * the page.
 */
export function splitHeader(header: Header): readonly Header[] {
  const { cells } = header;
  const last = lastOfLeft(cells.map(({ match }) => match?.kind ?? null));
  if (last === null) return [header];
  const border = endOf(cells[last]!, cells[last + 1]!);
  const half = (own: readonly HeaderCell[], from: number, to: number): Header => {
    return { ...header, cells: own, box: hullOf(own.map(({ box }) => box)), from, to };
  };
  return [
    half(cells.slice(0, last + 1), Number.NEGATIVE_INFINITY, border),
    half(cells.slice(last + 1), border, Number.POSITIVE_INFINITY),
  ];
}

/** Where the column of a header's word ends: with its cell, or else in the middle before the next word. */
function endOf({ box, prints }: HeaderCell, next: HeaderCell): number {
  const cell = prints[0]!.cell?.box;
  const end = box.x + box.width;
  const middle = (end + next.box.x) / 2;
  return cell && cell.x + cell.width > end && cell.x + cell.width < next.box.x + next.box.width / 2
    ? cell.x + cell.width
    : middle;
}
