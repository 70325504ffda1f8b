import { contains, type GridCell, type GridTable } from './grid.ts';
import { crosses } from './table-rows.ts';
import type { Word } from './words.ts';

/** In letter heights: how far print reaches over a border at least, and at most on the side where the smaller part of it stands. */
const OVER = 0.15;
const MAX_OVER = 1.2;
/** In letter heights: a wider word is a number, a narrower one a unit that stands behind one. */
const UNIT = 1.5;
/** In letter heights: how near the number of a unit stands, and how much nearer than what is on the unit's other side. */
const BESIDE = { gap: 1.6, nearer: 0.2 };

/**
 * The table with the border between two cells of a row moved to the edge of a word that crosses it: a printer shifted print against its form,
 * so that the rule runs through a dose or its unit. The word goes to the cell in which the larger part of it stands, a unit to its number's.
 * @param words with no wider gap than between letters, or words of two columns are one.
 */
export function withCrossingPrint(table: GridTable, words: readonly Word[], letterHeight: number): GridTable {
  const inside = words.filter((word) => contains(table, word));
  const lefts = new Map<GridCell, number>();
  const rights = new Map<GridCell, number>();
  for (const cell of table.cells) {
    const next = table.cells.find((other) => isBeside(cell, other));
    const border = next && movedBorder(cell, next, inside, letterHeight);
    if (border === undefined) continue;
    rights.set(cell, border);
    lefts.set(next!, border);
  }
  if (rights.size === 0) return table;
  const cells = table.cells.map((cell) => ({
    ...cell,
    left: lefts.get(cell) ?? cell.left,
    right: rights.get(cell) ?? cell.right,
  }));
  return { ...table, cells };
}

function isBeside(cell: GridCell, other: GridCell): boolean {
  return other.column === cell.column + cell.columnSpan && other.row === cell.row && other.rowSpan === cell.rowSpan;
}

/** Where the border between two cells goes; undefined where no word crosses it, and where the cells hold other lines. */
function movedBorder(
  { right: at, ...cell }: GridCell,
  next: GridCell,
  words: readonly Word[],
  letterHeight: number,
): number | undefined {
  const both = { left: cell.left, right: next.right, top: cell.top, bottom: cell.bottom };
  const own = words.filter((word) => contains(both, word));
  const crossing = own.filter((word) => crosses(word, at, OVER * letterHeight));
  const [word] = crossing;
  if (crossing.length !== 1 || word === undefined) return undefined;
  if (Math.min(at - word.left, word.right - at) > MAX_OVER * letterHeight) return undefined;
  const others = own.filter((other) => other !== word);
  // A form prints its own headers, of two lines mostly, beside its rules.
  if (!others.every(({ top, bottom }) => Math.min(bottom, word.bottom) > Math.max(top, word.top))) return undefined;
  const goesLeft = isOfLeftCell(word, at, others, letterHeight);
  const border = goesLeft ? word.right + 1 : word.left - 1;
  // Two numbers that stand close to the border on either side are one word too: each is all that its cell holds.
  const giving = goesLeft ? next : { ...cell, right: at };
  if (!others.some((other) => contains(giving, other))) return undefined;
  const isInTheWay = (other: Word) => crosses(other, border, 0);
  return others.some(isInTheWay) ? undefined : border;
}

function isOfLeftCell(word: Word, at: number, others: readonly Word[], letterHeight: number): boolean {
  const isMostlyLeft = 2 * at > word.left + word.right;
  if (word.right - word.left > UNIT * letterHeight) return isMostlyLeft;
  const before = word.left - Math.max(...others.filter(({ left }) => left < word.left).map(({ right }) => right));
  const after = Math.min(...others.filter(({ left }) => left > word.left).map(({ left }) => left)) - word.right;
  if (Math.min(before, after) > BESIDE.gap * letterHeight) return isMostlyLeft;
  return Math.abs(before - after) > BESIDE.nearer * letterHeight ? before < after : isMostlyLeft;
}
