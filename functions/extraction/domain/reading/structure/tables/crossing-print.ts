import { crosses } from './crosses-border.ts';
import { contains, type Extent, type GridCell, type GridTable, hullOf } from './grid.ts';
import type { Word, Words } from './words.ts';

/** In letter heights: minimum reach of print over a border, and the maximum on the side of its smaller part. */
const OVER = 0.15;
const MAX_OVER = 2;
/** In letter heights: maximum width of the white around a point. */
const POINT = 0.35;
/** Lines of two cells whose print crosses their border: of a header, one of two lines may come so near to it. */
const _MIN_CROSSING = 2;
/** In letter heights: a wider word is a number, a narrower one a unit behind a number. */
const UNIT = 1.5;
/** In letter heights: maximum distance of a unit from its number, and how much closer it is than the word on the unit's other side. */
const BESIDE = { gap: 1.6, nearer: 0.2 };

/**
 * The table with the border between two cells of a row moved to the edge of a word that crosses it: shifted print lets the rule run
 * through a dose or its unit. The word goes to the cell that holds its larger part, a unit to its number's cell.
 */
export function withCrossingPrint(table: GridTable, { close, tight }: Words, letterHeight: number): GridTable {
  return withMovedBorders(withMovedBorders(table, close, tight, letterHeight), tight, tight, letterHeight);
}

/** @param tight a border that none of them crosses stays: a name so close to its dose that both form one of the other words. */
function withMovedBorders(
  table: GridTable,
  words: readonly Word[],
  tight: readonly Word[],
  letterHeight: number,
): GridTable {
  const ofTable = (all: readonly Word[]) => all.filter((word) => contains(table, word));
  const [inside, letters] = [ofTable(words), ofTable(tight)];
  const lefts = new Map<GridCell, number>();
  const rights = new Map<GridCell, number>();
  for (const [cell, next] of cellsBeside(table)) {
    const border = movedBorder(cell, next, inside, letterHeight);
    if (border === undefined || printOf(cell, next, letters, letterHeight).crossing.length === 0) continue;
    rights.set(cell, border);
    lefts.set(next, border);
  }
  if (rights.size === 0) return table;
  const cells = table.cells.map((cell) => ({
    ...cell,
    left: lefts.get(cell) ?? cell.left,
    right: rights.get(cell) ?? cell.right,
  }));
  return { ...table, cells };
}

/** Cells of the same rows, each with the one on its right. */
function cellsBeside({ cells, columnCount }: GridTable): readonly (readonly [GridCell, GridCell])[] {
  const at = new Map(cells.map((cell) => [cell.row * columnCount + cell.column, cell]));
  return cells.flatMap((cell) => {
    const column = cell.column + cell.columnSpan;
    const next = column < columnCount ? at.get(cell.row * columnCount + column) : undefined;
    return next?.rowSpan === cell.rowSpan ? [[cell, next] as const] : [];
  });
}

/** In letter heights: maximum distance from a border to the two parts of a word whose middle a rule has removed. */
const AT_RULE = 0.4;

/** Joins words whose letter a rule has cut: removing the rule leaves more white than the gap between letters. */
function joinedOverBorder(words: readonly Word[], at: number, letterHeight: number): readonly Word[] {
  const near = AT_RULE * letterHeight;
  const ends = words.filter(({ left, right }) => left < at && Math.abs(right - at) < near);
  const joined = new Map<Word, Word>();
  for (const end of ends) {
    // The digit before a point that the rule hides may reach over it.
    const from = Math.max(at, end.right);
    const goesOn = words.find(
      (word) => word !== end && word.right > at && Math.abs(word.left - from) < near && isLevel(word, end),
    );
    if (goesOn && !joined.has(goesOn)) joined.set(goesOn, end);
  }
  if (joined.size === 0) return words;
  const parts = new Set([...joined].flat());
  return [...words.filter((word) => !parts.has(word)), ...[...joined].map(([goesOn, end]) => hullOf(end, goesOn))];
}

/** The words of two cells, and those of them that cross the border between the two. */
function printOf(cell: GridCell, next: GridCell, words: readonly Word[], letterHeight: number) {
  const inside = words.filter((word) => contains({ ...cell, right: next.right }, word));
  const printed = joinedOverBorder(inside, cell.right, letterHeight);
  return { printed, crossing: printed.filter((word) => crosses(word, cell.right, OVER * letterHeight)) };
}

/** Where the border between two cells goes; undefined where no word crosses it, and where the cells hold other lines. */
function movedBorder(cell: GridCell, next: GridCell, words: readonly Word[], letterHeight: number): number | undefined {
  const { printed, crossing } = printOf(cell, next, words, letterHeight);
  const [word, ...more] = crossing;
  if (word === undefined || more.length > 0) return undefined;
  // A form's own headers, mostly of two lines, are printed next to its rules.
  return printed.every((other) => isLevel(other, word))
    ? lineBorder(cell, next, word, printed, letterHeight)
    : undefined;
}

/** Where the border between two cells goes in the line of a word that crosses it; undefined where it stays. */
function lineBorder(
  { right: at, ...cell }: GridCell,
  next: GridCell,
  word: Word,
  line: readonly Word[],
  letterHeight: number,
): number | undefined {
  if (Math.min(at - word.left, word.right - at) > MAX_OVER * letterHeight) return undefined;
  const others = line.filter((other) => other !== word);
  const goesLeft = isOfLeftCell(word, at, others, letterHeight);
  const border = goesLeft ? word.right + 1 : word.left - 1;
  // Two numbers close to the border on either side form one word too: each is all that its cell holds.
  const giving = goesLeft ? next : { ...cell, right: at };
  if (!others.some((other) => contains(giving, other))) return undefined;
  // A word no further behind it than the width of a point is the rest of a number whose first digit merged with the word.
  const isWhite = (other: Word) =>
    !crosses(other, border, 0) && (goesLeft ? other.left - word.right : word.left - other.right) > POINT * letterHeight;
  const beyond = others.filter((other) => (goesLeft ? other.right > border : other.left < border));
  return beyond.every(isWhite) ? border : undefined;
}

function isLevel(a: Extent, b: Extent): boolean {
  return Math.min(a.bottom, b.bottom) > Math.max(a.top, b.top);
}

function isOfLeftCell(word: Word, at: number, others: readonly Word[], letterHeight: number): boolean {
  const isMostlyLeft = 2 * at > word.left + word.right;
  if (word.right - word.left > UNIT * letterHeight) return isMostlyLeft;
  const before = word.left - Math.max(...others.filter(({ left }) => left < word.left).map(({ right }) => right));
  const after = Math.min(...others.filter(({ left }) => left > word.left).map(({ left }) => left)) - word.right;
  if (Math.min(before, after) > BESIDE.gap * letterHeight) return isMostlyLeft;
  return Math.abs(before - after) > BESIDE.nearer * letterHeight ? before < after : isMostlyLeft;
}
