import type { ReadCell } from '../../reading/table-reader.ts';
import type { Template } from '../../reading/template.ts';
import { editDistances } from '../../text/edit-distance.ts';
import { toJamo } from '../../text/jamo.ts';
import { isCodeLike } from '../columns/column-evidence.ts';
import type { Grid } from '../grid.ts';
import { foldHeader, isBeginning, isDay, matchHeader } from '../headers/header-words.ts';
import { looksNumeric } from '../numbers/cell-values.ts';
import { isPartTitle } from './list-marks.ts';

const GRAND_TOTAL_WORDS = '합계 총계 총합계 총액 총금액 합계금액 총합 누계'.split(' ').map(toJamo);
const SUBTOTAL_WORDS = '소계 계 페이지계 쪽계 월계'.split(' ').map(toJamo);
/** Components of a total other than the page's lines, or the shares of its payers. */
const PART_WORDS =
  '공급가액 부가세 세액 이월 전월이월 이월금액 조제료 약제비 총약제비 약제비총액 본인부담금 본인부담액 보험자부담금 공단부담금 청구액 수납금액'
    .split(' ')
    .map(toJamo);
/** The summed item, before the word for its sum: `약품비 합계`; the sum of a section may name any. */
const OF_DRUGS = /^(?:약품비|약제비|약품|약제|약값|청구금액|청구액)(?=.)/;
/** A whole label in brackets, `[소계]`. */
const IN_BRACKETS = /^\s*[[(【]([^[\](【】)]+)[\])】]/;
const OF_SECTION = /^.{1,4}소계$/;
/** A title of a section stands alone in its row. */
const SECTION = /내복|외용|주사|급여|원내|원외|처방|조제|이하|여백|※|[[<【■▶◆●○]/;

const ROWS_SEARCHED_FOR_HEADER = 12;
/** A grouped header has a row of groups over its words, and here and there one more. */
const MAX_HEADER_NEIGHBOURS = 2;
/** A row with as many days is the header of a record: a drug is taken for one number of days. */
const MIN_DAYS = 3;

export type TotalKind = 'grand' | 'sub' | 'part';

/** Whether a row can be a drug line: it shows a code, or mostly numbers. */
export function isBodyLike(cells: readonly ReadCell[]): boolean {
  if (cells.some(isCodeLike)) return true;
  const numbers = cells.filter(looksNumeric).length;
  return numbers >= 2 && numbers * 2 >= cells.length;
}

/**
 * The rows of the header: the one with the most header words, and adjacent rows without a line. Titles, dates and addresses may be part
 * of the grid above them. Without any header word: the rows over the first line.
 */
export function headerRows(grid: Grid, template: Template): readonly number[] {
  const words = Array.from({ length: Math.min(grid.rowCount, ROWS_SEARCHED_FOR_HEADER) }, (_, row) =>
    headerWordsIn(grid, row, template),
  );
  const most = Math.max(0, ...words);
  if (most < 2) return rowsOverFirstLine(grid);
  const best = words.indexOf(most);
  const mayBelong = (row: number) => {
    const cells = grid.inked(row);
    if (row > best) return isOfDays(cells) || (words[row]! > 0 && !isBodyLike(cells));
    // 1일 over 투약량 reads like a number with its unit.
    return cells.length > 1 && !isBodyLike(cells.filter(({ text }) => !isBeginning(text.text)));
  };
  let [first, last] = [best, best];
  while (first > 0 && best - first < MAX_HEADER_NEIGHBOURS && mayBelong(first - 1)) first--;
  while (last + 1 < grid.rowCount && last - best < MAX_HEADER_NEIGHBOURS && mayBelong(last + 1)) last++;
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** Whether cells head the days of a record. */
function isOfDays(cells: readonly ReadCell[]): boolean {
  return cells.filter(({ text }) => isDay(text.text)).length >= MIN_DAYS;
}

/** Different fields that a row's cells announce. */
function headerWordsIn(grid: Grid, row: number, template: Template): number {
  const kinds = grid
    .inked(row)
    .map((cell) => (looksNumeric(cell) ? null : matchHeader(cell.text.text, template)?.kind));
  return new Set(kinds.filter((kind) => kind != null)).size;
}

function rowsOverFirstLine(grid: Grid): readonly number[] {
  const rows: number[] = [];
  for (let row = 0; row < grid.rowCount; row++) {
    const cells = grid.inked(row);
    if (cells.length > 0 && isBodyLike(cells)) break;
    // A title, alone over the whole table, announces no column.
    if (cells.length > 1 || grid.columnCount === 1) rows.push(row);
    if (rows.length > 2) rows.shift();
  }
  return rows.length > 0 && rows.at(-1)! < grid.rowCount - 1 ? rows : [];
}

/** Kind of the total that a row prints, if its label names one: the label is the first text, without a code before it. */
export function totalKind(cells: readonly ReadCell[]): TotalKind | null {
  if (cells.some(isCodeLike)) return null;
  for (const cell of cells) {
    const kind = looksNumeric(cell) ? null : labelledTotal(cell.text.text);
    if (kind) return kind;
  }
  return null;
}

/** Kind of the total that a label names; the text behind its word is a number. */
export function labelledTotal(label: string): TotalKind | null {
  const text = foldHeader(label.replace(IN_BRACKETS, '$1')).replace(/\d.*/s, '');
  const letters = toJamo(text);
  if (letters.length < 2) return null;
  if (PART_WORDS.some((word) => near(letters, word))) return 'part';
  const sum = toJamo(text.replace(OF_DRUGS, ''));
  if (GRAND_TOTAL_WORDS.some((word) => near(sum, word))) return 'grand';
  return OF_SECTION.test(text) || SUBTOTAL_WORDS.some((word) => near(sum, word)) ? 'sub' : null;
}

export function isRepeatedHeader(cells: readonly ReadCell[], template: Template): boolean {
  if (cells.some(isCodeLike)) return false;
  const matches = cells.filter((cell) => (matchHeader(cell.text.text, template)?.score ?? 0) >= 0.8);
  return matches.length >= 2 && matches.length * 2 >= cells.length;
}

/**
 * A title inside the table, such as `[외용약]`: one text, alone, wide or marked as such; or words that only a form's titles print, over any
 * number of cells, without a number in the row.
 */
export function isSection(cells: readonly ReadCell[], grid: Grid): boolean {
  const [cell] = cells;
  if (!cell || cells.some((each) => looksNumeric(each) || isCodeLike(each))) return false;
  if (cells.some(({ text }) => isPartTitle(text.text))) return true;
  if (cells.length > 1) return false;
  return SECTION.test(cell.text.text) || cell.columnSpan >= Math.max(2, grid.columnCount / 2);
}

/** One letter may be misread in a word of five letters or more. */
function near(label: ArrayLike<number>, word: ArrayLike<number>): boolean {
  const allowed = word.length >= 5 ? 1 : 0;
  return editDistances(label, word).whole <= allowed;
}
