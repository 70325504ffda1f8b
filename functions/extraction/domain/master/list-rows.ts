import type { MasterPrice } from './drug-master.ts';
import { findHeader, type ListColumn } from './list-columns.ts';
import { dateInTitle, parseDate } from './list-date.ts';
import { MasterFileError } from './master-file.ts';

/**
 * The content of a published table, by its columns: `history` gives each price its date, `monthly` is a list whose prices are all in
 * force from one day, `names` has no prices.
 */
export type ListForm = 'history' | 'monthly' | 'names';

export interface PublishedList {
  readonly form: ListForm;
  /** ISO date that the title rows say; null when they say none. */
  readonly titleDate: string | null;
  readonly rows: readonly ListedRow[];
  readonly skipped: SkippedRows;
}

export interface ListedRow {
  /** As a spreadsheet numbers it, from 1. */
  readonly row: number;
  readonly code: string;
  readonly name: string;
  readonly maker: string;
  readonly unit: string;
  readonly oldCodes: readonly string[];
  /** The drug's next code; null if the row names none. */
  readonly newCode: string | null;
  /** Null in a list of names. */
  readonly price: Omit<MasterPrice, 'from'> | null;
  /** ISO date; null where the table has no column of dates. */
  readonly from: string | null;
}

export interface SkippedRows {
  /** Title, heading and sum rows: no code, and no name next to it. */
  readonly headings: number;
  /** The same drug once more, word for word. */
  readonly repeated: number;
  /** Rows of a list of names that have no code. */
  readonly withoutCode: number;
  /** A sentence each, of rows in a list of names whose code cannot be one. */
  readonly wrong: readonly string[];
}

const MAX_WRONG_ROWS_NAMED = 10;
/** In the real list 49 of 21,962 drugs have no price; a column with other content has none. */
const MAX_UNPRICED_SHARE = 0.2;
const MIN_ROWS_FOR_SHARE = 50;

export interface ListOptions {
  /** The code of a cell; null if it is not one. */
  readonly toCode?: (cell: string) => string | null;
  /** Refuse a list of names with wrong rows too; the portal's has many that mean nothing here. */
  readonly namedStrictly?: boolean;
}

/**
 * Reads the rows of a published list, strings as in the sheet.
 * @throws MasterFileError when they are no such list, or when a row of it is wrong: the message names the rows.
 */
export function readListRows(rows: readonly (readonly string[])[], options: ListOptions = {}): PublishedList {
  const { toCode = restoreCode, namedStrictly = false } = options;
  const header = findHeader(rows);
  if (header === null)
    throw new MasterFileError(
      'This is not a drug list: none of its first 30 rows names the columns 제품코드 and 제품명 (or code and name).',
    );
  const { columns } = header;
  const form = formOf(columns);
  const listed: ListedRow[] = [];
  const wrong: string[] = [];
  const seen = new Map<string, ListedRow>();
  const skipped = { headings: 0, repeated: 0, withoutCode: 0 };
  for (const [index, cells] of rows.entries()) {
    if (index <= header.row || cells.every((cell) => cell.trim() === '')) continue;
    const cell = (column: ListColumn) => cells[columns.get(column) ?? -1]?.trim() ?? '';
    const code = toCode(cell('code'));
    if ((code === null && cell('name') === '') || cell('code') === headerWord(rows, header.row, columns)) {
      skipped.headings++;
      continue;
    }
    if (code === null && form === 'names' && cell('code') === '') {
      skipped.withoutCode++;
      continue;
    }
    const row = code === null ? wrongCode(cell('code'), index + 1) : readRow(code, index + 1, form, cell);
    if (typeof row === 'string') {
      wrong.push(row);
      continue;
    }
    const key = `${row.code} ${row.from}`;
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, row);
      listed.push(row);
    } else if (isSamePrice(first, row)) {
      skipped.repeated++;
      if (row.oldCodes.length > 0) listed.push(row);
    } else {
      wrong.push(
        `Rows ${first.row} and ${row.row}: ${row.code} has two prices${row.from === null ? '' : ` from ${row.from}`}, ${say(first)} and ${say(row)}.`,
      );
    }
  }
  if (wrong.length > 0 && (form !== 'names' || namedStrictly)) throw new MasterFileError(nameWrongRows(wrong));
  if (listed.length === 0)
    throw new MasterFileError('The list holds no drug: no row has both a product code and a name.');
  if (form === 'monthly' && toCode === restoreCode) refuseMovedColumns(listed);
  const titles = rows.slice(0, header.row).map((cells) => cells.join(' '));
  return { form, titleDate: dateInTitle(titles.join(' ')), rows: listed, skipped: { ...skipped, wrong } };
}

export function nameWrongRows(wrong: readonly string[]): string {
  const named = wrong.slice(0, MAX_WRONG_ROWS_NAMED).join('\n  ');
  const more = wrong.length - MAX_WRONG_ROWS_NAMED;
  return `Nothing was changed: the list has wrong rows.\n  ${named}${more > 0 ? `\n  and ${more} more` : ''}`;
}

function formOf(columns: ReadonlyMap<ListColumn, number>): ListForm {
  if (!columns.has('price')) return 'names';
  return columns.has('from') ? 'history' : 'monthly';
}

/** Lists that were printed to CSV repeat their header on every page. */
function headerWord(
  rows: readonly (readonly string[])[],
  row: number,
  columns: ReadonlyMap<ListColumn, number>,
): string {
  return rows[row]?.[columns.get('code') ?? -1]?.trim() ?? '';
}

function readRow(code: string, row: number, form: ListForm, cell: (column: ListColumn) => string): ListedRow | string {
  const name = cell('name');
  if (name === '') return `Row ${row}: the name of ${code} is missing.`;
  const from = form === 'history' ? parseDate(cell('from')) : null;
  if (form === 'history' && from === null)
    return `Row ${row}: ${JSON.stringify(cell('from'))} is not a date like 2026-11-01.`;
  const price = form === 'names' ? null : parsePrice(cell('price'), cell('payment'), form);
  if (typeof price === 'string')
    return `Row ${row}: the price ${JSON.stringify(price)} of ${code} is not a number of KRW.`;
  return {
    row,
    code,
    name,
    maker: cell('maker'),
    unit: [cell('size'), cell('unit')].filter(Boolean).join(' '),
    oldCodes: cell('oldCode')
      .split(/[\s,;/]+/)
      .flatMap((old) => restoreCode(old) ?? [])
      .filter((old) => old !== code),
    newCode: restoreCode(cell('newCode')),
    price,
    from,
  };
}

function wrongCode(code: string, row: number): string {
  return `Row ${row}: ${JSON.stringify(code)} is not a product code of 9 digits.`;
}

/** Null for a cell without a code. A spreadsheet may have eaten the leading zero, or appended decimals. */
export function restoreCode(cell: string): string | null {
  const code = cell.trim().replace(/\.0+$/, '').toUpperCase();
  if (/^\d{8,9}$/.test(code)) return code.padStart(9, '0');
  if (/^880\d{10}$/.test(code)) return code.slice(3, 12);
  return /^[A-Z]\d{7,8}$/.test(code) ? code : null;
}

/** @returns the text when it is not a price. The list has no price of 0: HIRA gives it to drugs without one. */
function parsePrice(text: string, payment: string, form: ListForm): Omit<MasterPrice, 'from'> | string {
  if (/삭제|비급여/.test(payment)) return { krw: null, listed: false };
  // A history ends where its price is empty; a drug that is on a monthly list is listed.
  if (text === '') return { krw: null, listed: form === 'monthly' || payment !== '' };
  const digits = text.replace(/[,\s원₩]/g, '');
  if (/^\d{1,12}(\.\d+)?$/.test(digits)) return { krw: Number(digits) || null, listed: true };
  return /[\d#]/.test(digits) ? text : { krw: null, listed: true };
}

function isSamePrice(a: ListedRow, b: ListedRow): boolean {
  return a.price?.krw === b.price?.krw && a.price?.listed === b.price?.listed;
}

function say({ price }: ListedRow): string {
  return String(price?.krw ?? (price?.listed ? '산정불가' : 'none'));
}

function refuseMovedColumns(rows: readonly ListedRow[]): void {
  const unpriced = rows.filter(({ price }) => price?.krw === null).length;
  if (rows.length >= MIN_ROWS_FOR_SHARE && unpriced > rows.length * MAX_UNPRICED_SHARE)
    throw new MasterFileError(
      `Nothing was changed: ${unpriced} of ${rows.length} drugs have no number in the column of prices (상한금액). Have the columns moved under their header?`,
    );
}
