import { range } from '../../range.ts';
import type { Box, ReadTable } from '../../reading/table-reader.ts';
import type { Template } from '../../reading/template.ts';
import { toJamo } from '../../text/jamo.ts';
import { areDigits, centerY, hullOf, isLevel, joinPrint, overlap, type Print } from '../print.ts';
import { type ColumnKind, NUMERIC_KINDS } from './column-kinds.ts';
import { foldHeader, type HeaderMatch, isBeginning, isForeign, matchHeader, matchLetter } from './header-words.ts';

/** A header's word, or its lines one below the other, and its place. */
export interface HeaderCell {
  readonly text: string;
  readonly match: HeaderMatch | null;
  readonly prints: readonly Print[];
  readonly box: Box;
  /** Whether its box is as wide as its column. */
  readonly isColumn?: boolean;
}

/** A row of header words somewhere on the page. */
export interface Header {
  readonly cells: readonly HeaderCell[];
  readonly box: Box;
  readonly table: ReadTable | null;
  /** Left and right end of its list, next to another one. */
  readonly from?: number;
  readonly to?: number;
}

/** Lines, or pieces of one, that a header word is broken into. */
const MAX_LINES = 3;
/** In line heights: maximum distance of one word's next line below. */
const LINE_GAP = 1.3;
/** In line heights: maximum distance to the side. */
const WORD_GAP = 2;
/** Letters that a misread one takes from those that match. */
const MISREAD_COST = 2;
const HANGUL = /\p{Script=Hangul}/u;
/**
 * The headers of drug lists anywhere on the page: words for a name or a code and for a dose, days or an amount, side by side; or several
 * of the latter, since a name's word may be illegible. Top to bottom.
 */
export function findHeaders(prints: readonly Print[], template: Template): readonly Header[] {
  const words = headerWords(prints, template);
  const taken = new Set<Print>();
  const headers: Header[] = [];
  const rows = words.map((seed) => rowOf(seed, words)).sort((a, b) => strength(b) - strength(a));
  for (const row of rows) {
    const free = row.filter((cell) => !cell.prints.some((print) => taken.has(print)));
    if (!announcesList(free)) continue;
    for (const { prints: used } of free) for (const print of used) taken.add(print);
    headers.push(withUnknown(withOneCode(withoutGroups(free)), prints, taken, template));
  }
  return headers.sort((a, b) => a.box.y - b.box.y);
}

/**
 * Prints with those split that hold several header words: in a tight header no white tells the words apart, but the
 * recogniser reads a blank between them.
 */
export function partHeaderWords(prints: readonly Print[], template: Template): readonly Print[] {
  return prints.flatMap((print) => {
    if (matchHeader(print.text, template)) return [print];
    const glued = gluedWords(print.text, template);
    if (glued) return partAt(print, glued);
    const words = print.text.split(/[ _|]+/).filter(Boolean);
    if (words.length === 1) return [print];
    const matches = words.map((word) => matchHeader(word, template)).filter((match) => match !== null);
    const kinds = new Set(matches.map(({ kind }) => kind));
    // Next to a word that is surely a number's, an unread one belongs to another column: 투여일수 부담.
    const isSure = matches.some(
      (match) => match.drugWord && match.score >= SURE_SCORE && NUMERIC_KINDS.has(match.kind),
    );
    return kinds.size < 2 && !isSure ? [print] : partAt(print, words);
  });
}

/** Prints with those joined that are one header word together: a line is read in pieces where its blanks are wide. */
export function joinHeaderWords(prints: readonly Print[], template: Template): readonly Print[] {
  const joined: Print[] = [];
  for (let at = 0; at < prints.length; ) {
    const pieces = piecesFrom(prints, at);
    const isWord = (count: number) => isSurelyWord(pieces.slice(0, count), template);
    const count = range(2, pieces.length + 1).findLast(isWord) ?? 1;
    let word = pieces[0]!;
    for (const piece of pieces.slice(1, count)) word = { ...word, ...joinPrint(word, piece, ' ') };
    joined.push(word);
    at += count;
  }
  return joined;
}

/** A print and the pieces of its line behind it with little more than blanks between them, as many as a word has. */
function piecesFrom(prints: readonly Print[], at: number): readonly Print[] {
  const pieces = [prints[at]!];
  for (const next of prints.slice(at + 1, at + MAX_LINES)) {
    const { line, box } = pieces.at(-1)!;
    const gap = next.box.x - box.x - box.width;
    if (line === null || next.line?.whole !== line.whole || gap > LETTER_GAP * box.height) break;
    pieces.push(next);
  }
  return pieces;
}

function isSurelyWord(pieces: readonly Print[], template: Template): boolean {
  return (matchHeader(pieces.map(({ text }) => text).join(' '), template)?.score ?? 0) >= GLUED_SCORE;
}

const SURE_SCORE = 0.95;
/** Surer than a word by itself has to be: any text may end in something like one. */
const GLUED_SCORE = 0.95;
const MAX_GLUED_LENGTH = 16;

/** Two header words that are read as one where nothing separates them: 횟수일수. */
function gluedWords(text: string, template: Template): readonly [string, string] | null {
  if (text.length > MAX_GLUED_LENGTH) return null;
  for (let at = 2; at <= text.length - 2; at++) {
    // Times are counted by something: Freq/day.
    if (text[at] === '/') continue;
    const words = [text.slice(0, at), text.slice(at)] as const;
    if (words.every((word) => (matchHeader(word, template)?.score ?? 0) >= GLUED_SCORE)) return words;
  }
  return null;
}

/** Splits a print at its blanks; every letter is taken to be as wide as the others. */
function partAt(print: Print, words: readonly string[]): readonly Print[] {
  const width = print.box.width / print.text.length;
  let from = 0;
  return words.map((text) => {
    const start = print.text.indexOf(text, from);
    from = start + text.length;
    return { ...print, text, box: { ...print.box, x: print.box.x + start * width, width: text.length * width } };
  });
}

/** Prints that announce a column by themselves, joined with prints right next to or below them; no print is part of two. */
function headerWords(prints: readonly Print[], template: Template): readonly HeaderCell[] {
  const candidates: HeaderCell[] = [];
  const follow = (print: Print, next: (last: Print, prints: readonly Print[]) => Print | undefined) => {
    const joined: Print[] = [print];
    for (;;) {
      const text = joined.map((each) => each.text).join('');
      // Text in brackets above a word is not a part of it.
      const match = isWord(print.text) ? matchHeader(text, template) : null;
      if (match) candidates.push({ text, match, prints: [...joined], box: hullOf(joined.map(({ box }) => box)) });
      const more = joined.length < MAX_LINES ? next(joined.at(-1)!, prints) : undefined;
      // What starts the list below a header does not continue its word.
      if (!more || areDigits(more.text) || isForeign(more.text)) break;
      joined.push(more);
    }
  };
  for (const print of prints) {
    follow(print, lineBelow);
    follow(print, wordBeside);
    candidates.push(...cutWord(print, prints, template));
  }
  // A word of several lines is more than its last line alone, though a letter of it was misread.
  const rank = ({ match, text }: HeaderCell) =>
    toJamo(foldHeader(text)).length * (1 - (1 + MISREAD_COST) * (1 - match!.score));
  candidates.sort((a, b) => rank(b) - rank(a));
  const taken = new Set<Print>();
  const words = candidates.filter(({ prints: own }) => {
    if (own.some((print) => taken.has(print))) return false;
    for (const print of own) taken.add(print);
    return true;
  });
  return words.filter((word) => !isBeginning(word.text) || !words.some((other) => isOver(word, other)));
}

/** In line heights: maximum distance of a header's end below its start, with an illegible line in between. */
const MAX_BELOW = 3;

function isOver({ box: { x, y, width, height } }: HeaderCell, { box }: HeaderCell): boolean {
  const below = box.y - y - height;
  return below > -0.5 * height && below < MAX_BELOW * height && overlap(x, x + width, box.x, box.x + box.width) > 0;
}

/** The next line of a word that is broken into several. */
export function lineBelow<P extends Print>(print: P, prints: readonly P[]): P | undefined {
  const bottom = print.box.y + print.box.height;
  return prints
    .filter((other) => {
      const gap = other.box.y - bottom;
      const shared = overlap(print.box.x, print.box.x + print.box.width, other.box.x, other.box.x + other.box.width);
      return (
        other.table === print.table &&
        centerY(other.box) > bottom &&
        gap < LINE_GAP * print.box.height &&
        shared > 0.5 * Math.min(print.box.width, other.box.width)
      );
    })
    .sort((a, b) => a.box.y - b.box.y)[0];
}

function isWord(text: string): boolean {
  return /\p{L}/u.test(foldHeader(text));
}

/** In line heights: maximum white between the letters of a word that is set wide over a column without rules, 처 방 명 칭. */
const LETTER_GAP = 1.2;
const MAX_LETTERS = 2;
/** The same between two single letters that head no columns, 품    목; other words are not so far apart. */
const WIDE_LETTER_GAP = 4;

/** Whether the letters are some of a word that is set wide. */
function areWide(print: Print, next: Print): boolean {
  const isShort = [print, next].every(({ text }) => [...foldHeader(text)].length <= MAX_LETTERS && HANGUL.test(text));
  return print.cell === null && isShort && next.box.x - print.box.x - print.box.width < letterGap(print, next);
}

function letterGap(print: Print, next: Print): number {
  const areSingle = [print, next].every(({ text }) => [...foldHeader(text)].length === 1 && matchLetter(text) === null);
  return (areSingle ? WIDE_LETTER_GAP : LETTER_GAP) * print.box.height;
}

/** The next word of the same line in the same cell. */
function wordBeside(print: Print, prints: readonly Print[]): Print | undefined {
  const end = print.box.x + print.box.width;
  return prints
    .filter((other) => {
      const { cell, box } = other;
      const shared = overlap(print.box.y, print.box.y + print.box.height, box.y, box.y + box.height);
      return (
        cell === print.cell &&
        (cell !== null || areWide(print, other)) &&
        box.x >= end &&
        box.x - end < Math.max(WORD_GAP * print.box.height, letterGap(print, other)) &&
        shared > 0.5 * Math.min(print.box.height, box.height)
      );
    })
    .sort((a, b) => a.box.x - b.box.x)[0];
}

/** In line heights: maximum white between the parts of a word that a border of columns cuts. */
const CUT_GAP = 1;

/** A word that the border between two cells cuts: 총투 | 약일수. */
function cutWord(print: Print, prints: readonly Print[], template: Template): readonly HeaderCell[] {
  const { cell, box } = print;
  if (!cell || !HANGUL.test(print.text) || matchHeader(print.text, template)) return [];
  const isRest = (other: Print) =>
    other.table === print.table &&
    other.cell?.row === cell.row &&
    other.cell.column === cell.column + cell.columnSpan &&
    other.box.x - box.x - box.width < CUT_GAP * box.height &&
    isLevel(other.box, box);
  return prints.filter(isRest).flatMap((rest) => {
    const text = print.text + rest.text;
    const match = matchHeader(text, template);
    const isWord = match !== null && match.score >= GLUED_SCORE;
    return isWord ? [{ text, match, prints: [print, rest], box: hullOf([box, rest.box]) }] : [];
  });
}

/** Words on a level with the seed, or in its rows of the grid. */
function rowOf(seed: HeaderCell, words: readonly HeaderCell[]): readonly HeaderCell[] {
  const { y, height } = seed.box;
  const [first] = seed.prints;
  return words.filter(({ box, prints: [print] }) => {
    const shared = overlap(y, y + height, box.y, box.y + box.height);
    return (
      print!.table === first!.table && (shared > 0.4 * Math.min(height, box.height) || isBesideParts(first!, print!))
    );
  });
}

/** Rows of a header whose word for several columns has theirs below it. */
const HEADER_ROWS = 2;

/** Whether one's cell is as high as both rows of a header, and the other's is in one of them. */
function isBesideParts({ cell: a }: Print, { cell: b }: Print): boolean {
  if (!a || !b || Math.max(a.rowSpan, b.rowSpan) !== HEADER_ROWS) return false;
  return a.row < b.row + b.rowSpan && b.row < a.row + a.rowSpan;
}

function kindsOf(row: readonly HeaderCell[]): ReadonlySet<ColumnKind> {
  return new Set(row.flatMap(({ match }) => (match && match.kind !== 'other' ? match.kind : [])));
}

function strength(row: readonly HeaderCell[]): number {
  const best = new Map<string, number>();
  for (const { match } of row)
    if (match) best.set(match.kind, Math.max(best.get(match.kind) ?? 0, match.score * (match.drugWord ? 1.5 : 1)));
  return [...best].reduce((sum, [kind, score]) => sum + (kind === 'other' ? 0.1 : score), 0);
}

function announcesList(row: readonly HeaderCell[]): boolean {
  const kinds = kindsOf(row);
  const numeric = [...kinds].filter((kind) => NUMERIC_KINDS.has(kind)).length;
  const named = kinds.has('drugName') || kinds.has('drugCode');
  return named ? numeric >= 1 : numeric >= 2 && row.some(({ match }) => match?.drugWord);
}

/** A word over several columns, 투약량 over 1일량, 일수 and 총량, heads none: theirs are below it. */
function withoutGroups(row: readonly HeaderCell[]): readonly HeaderCell[] {
  const isBelow = ({ prints: [a] }: HeaderCell, { prints: [b] }: HeaderCell) =>
    a!.cell !== null &&
    b!.cell !== null &&
    b!.cell.row >= a!.cell.row + a!.cell.rowSpan &&
    b!.cell.column >= a!.cell.column &&
    b!.cell.column < a!.cell.column + a!.cell.columnSpan;
  const isGroup = (cell: HeaderCell) =>
    cell.prints.length === 1 && cell.prints[0]!.cell !== null && cell.prints[0]!.cell.columnSpan > 1;
  return row.filter((cell) => !(isGroup(cell) && row.some((other) => isBelow(cell, other))));
}

/** A supplier prints the standard code of a package next to the drug's own: the latter is the drug's. */
function withOneCode(row: readonly HeaderCell[]): readonly HeaderCell[] {
  const codes = row.filter(({ match }) => match?.kind === 'drugCode');
  if (codes.every(({ match }) => match!.secondary)) return row;
  return row.map((cell) =>
    cell.match?.kind === 'drugCode' && cell.match.secondary
      ? { ...cell, match: { ...cell.match, kind: 'other' } }
      : cell,
  );
}

/** Whether a print is a stroke between the two words of one column, `품명 / 코드`, which may be read as another sign. */
function isStroke({ text, cell, box }: Print, row: readonly HeaderCell[]): boolean {
  const isNear = (gap: number) => gap > -box.height / 2 && gap < LETTER_GAP * box.height;
  const isBefore = (word: HeaderCell) => isNear(box.x - word.box.x - word.box.width);
  const isBehind = (word: HeaderCell) => isNear(word.box.x - box.x - box.width);
  return cell === null && text.length === 1 && row.some(isBefore) && row.some(isBehind);
}

/** Adds the columns between and next to the words whose header is unknown. */
function withUnknown(
  row: readonly HeaderCell[],
  prints: readonly Print[],
  taken: ReadonlySet<Print>,
  template: Template,
): Header {
  const box = hullOf(row.map((cell) => cell.box));
  const table = row[0]!.prints[0]!.table;
  const cells = [...row];
  const lastRow = Math.max(
    ...row.flatMap((word) =>
      word.prints.map(({ cell }) => (cell ? cell.row + cell.rowSpan - 1 : Number.POSITIVE_INFINITY)),
    ),
  );
  const level = prints.filter((print) => {
    if (print.cell && print.cell.row > lastRow) return false;
    const y = centerY(print.box);
    // The last line of an unread header may lie a little lower than the others'.
    const bottom = box.y + box.height + 0.6 * print.box.height;
    const isLevelWith = print.table === table && y >= box.y && y <= bottom;
    return isLevelWith && !taken.has(print) && !/\d{2}/.test(print.text) && !isStroke(print, row);
  });
  for (const print of level.sort((a, b) => a.box.y - b.box.y)) {
    const own = cells.filter(
      ({ match, prints: [first] }) => match && first!.cell !== null && first!.cell === print.cell,
    );
    if (own.length === 1) {
      // A word of the only header in its cell.
      cells[cells.indexOf(own[0]!)] = withWord(own[0]!, print, template);
      continue;
    }
    const end = print.box.x + print.box.width;
    const index = cells.findIndex((cell) => overlap(print.box.x, end, cell.box.x, cell.box.x + cell.box.width) > 0);
    if (index < 0) cells.push({ text: print.text, match: null, prints: [print], box: print.box });
    else if (cells[index]!.match === null) {
      const joined = [...cells[index]!.prints, print];
      const text = joined.map((each) => each.text).join('');
      cells[index] = { text, match: null, prints: joined, box: hullOf(joined.map((each) => each.box)) };
    }
  }
  return { cells: cells.sort((a, b) => a.box.x - b.box.x), box, table };
}

/** A header with another word of its cell: if its first words alone name a column of no field, both do, 투여 and 식수 (일수). */
function withWord(cell: HeaderCell, print: Print, template: Template): HeaderCell {
  const prints = [...cell.prints, print];
  if (cell.match?.kind !== 'other' || !HANGUL.test(print.text)) return { ...cell, prints };
  const text = prints.map((each) => each.text).join('');
  return { ...cell, text, prints, match: matchHeader(text, template) };
}
