import { isOldCode } from '../../master/drug-code.ts';
import { medianOf } from '../../median.ts';
import type { ReadCell } from '../../reading/table-reader.ts';
import type { TableField, Template } from '../../reading/template.ts';
import type { Grid } from '../grid.ts';
import { headerOf } from '../headers/column-header.ts';
import type { ColumnKind } from '../headers/column-kinds.ts';
import { type HeaderMatch, resemblances } from '../headers/header-words.ts';
import { codeField, looksNumeric, numeralOf, parseNumeral } from '../numbers/cell-values.ts';
import { writtenStyle } from '../numbers/quantity-style.ts';

/** Share of a column's cells that show numbers where it is one of numbers. */
export const MIN_NUMERIC_SHARE = 0.5;

/** Evidence that a column is one field or another. */
export interface ColumnEvidence {
  readonly column: number;
  readonly header: HeaderMatch | null;
  /** Similarity of an unrecognised header to each kind, 0 to 1; empty under a recognised one. */
  readonly hints: ReadonlyMap<ColumnKind, number>;
  /** Shares, 0 to 1, of the body's cells that hold ink. */
  readonly codeShare: number;
  readonly numericShare: number;
  /** Share of the table's width: names need the most room. */
  readonly widthShare: number;
  readonly inkShare: number;
  /** Values that rise by one from row to row: a serial number. */
  readonly isSerial: boolean;
  /** Parsed as whole numbers and as quantities; null for a cell without a number. One entry per body row. */
  readonly whole: readonly (number | null)[];
  readonly quantities: readonly (number | null)[];
  /** The cells read as codes, one entry per body row. */
  readonly codes: readonly (string | null)[];
}

export function gatherEvidence(
  grid: Grid,
  column: number,
  bodyRows: readonly number[],
  template: Template,
): ColumnEvidence {
  const word = grid.at(0, column)?.text.text ?? '';
  const cells = bodyRows.map((row) => grid.at(row, column));
  const inked = cells.filter((cell): cell is ReadCell => cell !== undefined && !cell.blank);
  const numerals = cells.map((cell) => (cell && !cell.blank ? numeralOf(cell) : ''));
  const style = writtenStyle(numerals);
  const whole = numerals.map((numeral) => parseNumeral(numeral, 'whole')?.value ?? null);
  const header = headerOf(word, template);
  const share = (count: number) => (inked.length === 0 ? 0 : count / inked.length);
  const widths = inked.map(({ box }) => box.width);
  return {
    column,
    header,
    hints: header ? new Map() : resemblances(word, template),
    codeShare: share(inked.filter(isCodeLike).length),
    numericShare: share(inked.filter(looksNumeric).length),
    widthShare: medianOf(widths) / Math.max(1, tableWidth(grid, bodyRows)),
    inkShare: inked.length / Math.max(1, cells.length),
    isSerial: isSerial(whole),
    whole,
    codes: cells.map((cell) => codeField(cell).value),
    quantities: numerals.map((numeral) => parseNumeral(numeral, style)?.value ?? null),
  };
}

/** Letters of a cell that is a text with numbers in it, and no code. */
const MAX_CODE_LETTERS = 3;
const DATE = /(?<!\d)(?:19|20)\d{2}(?:[-./]\d{2}[-./]\d{2}(?!\d)|년 ?\d{1,2}월 ?\d{1,2}일)/;

/** Eight or nine digits in a row, or the thirteen of a standard code: a drug code, or one that lost its zero. */
export function isCodeLike(cell: ReadCell): boolean {
  if ((cell.text.text.match(/\p{Script=Hangul}/gu)?.length ?? 0) > MAX_CODE_LETTERS) return false;
  if (isDate(cell.text.text)) return false;
  const code = (cell.numeral?.text || cell.text.text).replace(/[\s.,-]/g, '');
  if (/^(?:\d{8,9}|880\d{10})$/.test(code)) return !/[.,]\d{1,3}$/.test(cell.numeral?.text ?? '');
  return isOldCode(cell.text.text);
}

export function isDate(text: string): boolean {
  return DATE.exec(text)?.[0] === text.trim();
}

export function beginsWithDate(text: string): boolean {
  return DATE.exec(text)?.index === 0;
}

/** The text behind its last date; empty without a date. */
export function behindDate(text: string): string {
  const parts = text.split(DATE);
  return parts.length > 1 ? parts.at(-1)! : '';
}

function isSerial(values: readonly (number | null)[]): boolean {
  const steps = values.slice(1).map((value, i) => (value === null || values[i] === null ? null : value - values[i]!));
  const known = steps.filter((step) => step !== null);
  return known.length >= 2 && known.filter((step) => step === 1).length >= known.length * 0.8;
}

function tableWidth(grid: Grid, bodyRows: readonly number[]): number {
  let left = Number.POSITIVE_INFINITY;
  let right = 0;
  for (const row of bodyRows)
    for (const { box } of grid.inked(row)) {
      left = Math.min(left, box.x);
      right = Math.max(right, box.x + box.width);
    }
  return Math.max(0, right - left);
}

/** Leaves a field to the column with its proper name: 1일투약량 is not a quantity next to 1회투약량. */
export function withoutSecondary(columns: readonly ColumnEvidence[]): readonly ColumnEvidence[] {
  return columns.map((column) => {
    const { header } = column;
    if (!header?.secondary) return column;
    const better = columns.some((other) => other.header?.kind === header.kind && !other.header.secondary);
    return better ? { ...column, header: { ...header, kind: 'other' } } : column;
  });
}

/** Fields that a column may be given by its header alone. */
export function announcedField(evidence: ColumnEvidence): TableField | null {
  const kind = evidence.header?.kind;
  return kind === undefined || kind === 'other' ? null : kind;
}
