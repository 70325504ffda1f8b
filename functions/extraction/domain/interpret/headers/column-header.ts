import type { ReadCell } from '../../reading/table-reader.ts';
import type { Template } from '../../reading/template.ts';
import type { Grid } from '../grid.ts';
import {
  type ColumnKind,
  foldHeader,
  type HeaderMatch,
  isMiddle,
  matchHeader,
  matchLetter,
  resemblances,
} from './header-words.ts';

/**
 * The field that a column's header announces. A header may span several rows, the upper ones over several columns, or be broken in the
 * middle of a word; in tables without rules its cells may also be cut at the wrong blank, so that `일수 | 총사용량` was read as `일수 총 | 사용량`.
 * Every combination is tried; among equal ones the longest, which leaves nothing over, is right.
 */
export function headerOf(
  grid: Grid,
  column: number,
  headerRows: readonly number[],
  template: Template,
): HeaderMatch | null {
  const cells = headerRows
    .map((row) => grid.covering(row, column))
    .filter((cell, i, all) => cell !== undefined && !cell.blank && cell !== all[i - 1])
    .map((cell) => cell!);
  const letter = cells.length === 1 ? matchLetter(cells[0]!.text.text) : null;
  if (letter) return letter;
  const joined = cells.slice(1).map(({ text }, i) => foldHeader(cells[i]!.text.text) + foldHeader(text.text));
  // Of two equally good rows the lower one counts: groups, or a title, lie above it.
  const own = columnsOf(grid, column, headerRows);
  const single = cells
    .filter((cell) => cell.columnSpan === 1 || (cell.column === column && cell.columnSpan === own))
    // Below another line it continues that one.
    .filter((cell) => cells.length === 1 || !isMiddle(cell.text.text))
    .reverse();
  let best: LongMatch | null = null;
  for (const match of single.map(
    (cell) => namesBesideOther(cell, template) ?? longest(recutTexts(grid, cell), template),
  ))
    if (match && match.score > (best?.score ?? 0)) best = match;
  const across = longest(joined, template);
  if (across && (!best || across.score > best.score || (across.score === best.score && across.length > best.length)))
    return across;
  return best;
}

/** Names, and with a stroke between the words what else their column shows: `약품명 / 제조사`. */
function namesBesideOther({ text: { text } }: ReadCell, template: Template): LongMatch | null {
  const matches = text.split('/').map((part) => matchHeader(part, template));
  const name = matches.find((match) => match?.kind === 'drugName');
  const others = matches.filter((match) => match !== name);
  const areOthers = others.length > 0 && others.every((match) => match?.kind === 'other');
  return name && areOthers ? { ...name, length: foldHeader(text).length } : null;
}

/** How many of the grid's columns those below the header take up that begin here: a rule of another part of the form may run between them. */
function columnsOf(grid: Grid, column: number, headerRows: readonly number[]): number {
  const first = (headerRows.at(-1) ?? -1) + 1;
  const spans = Array.from({ length: Math.max(0, grid.rowCount - first) }, (_, index) => grid.at(first + index, column))
    .filter((cell) => cell !== undefined && !cell.blank)
    .map((cell) => cell!.columnSpan);
  const [span = 1] = spans;
  return spans.every((other) => other === span) ? span : 1;
}

/** Similarities of a column's lowest header cell if it announces nothing. */
export function headerHints(
  grid: Grid,
  column: number,
  headerRows: readonly number[],
  template: Template,
): ReadonlyMap<ColumnKind, number> {
  const cells = headerRows.map((row) => grid.at(row, column)).filter((cell) => cell?.columnSpan === 1 && !cell.blank);
  return resemblances(cells.at(-1)?.text.text ?? '', template);
}

type LongMatch = HeaderMatch & { readonly length: number };

/** The best match of the texts; of equal ones the longest, which leaves nothing over. */
function longest(texts: readonly string[], template: Template): LongMatch | null {
  let best: LongMatch | null = null;
  for (const text of texts) {
    const match = matchHeader(text, template);
    if (!match) continue;
    const { length } = foldHeader(text);
    if (!best || match.score > best.score || (match.score === best.score && length > best.length))
      best = { ...match, length };
  }
  return best;
}

/**
 * The cell's text, and what it may have been before a word at its edge was cut off or drawn in. Most of it stays, and of its Korean where a form
 * is in two languages: a piece that belongs to a neighbour must not make this column the neighbour.
 */
function recutTexts(grid: Grid, cell: ReadCell): readonly string[] {
  const words = wordsOf(cell);
  const koreanOf = (text: string) => text.match(/\p{Script=Hangul}/gu)?.length ?? 0;
  const told = koreanOf(cell.text.text) > 0 ? koreanOf : (text: string) => text.length;
  const all = told(words.join(''));
  const ofNeighbour = (word = '') => (told(word) > 0 ? word : '');
  const before = ofNeighbour(wordsOf(grid.at(cell.row, cell.column - 1)).at(-1));
  const after = ofNeighbour(wordsOf(grid.at(cell.row, cell.column + 1))[0]);
  const texts: string[] = [];
  for (const [start, end] of [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const) {
    const core = words.slice(start, words.length - end).join('');
    if (told(core) * 2 < all || core === '') continue;
    for (const prefix of start === 0 ? ['', before] : [''])
      for (const suffix of end === 0 ? ['', after] : [''])
        if (prefix.length <= core.length && suffix.length <= core.length) texts.push(prefix + core + suffix);
  }
  return texts;
}

function wordsOf(cell: ReadCell | undefined): readonly string[] {
  return cell && !cell.blank ? cell.text.text.trim().split(/\s+/).filter(Boolean) : [];
}
