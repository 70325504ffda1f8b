import { editDistances } from '../text/edit-distance.ts';
import { alignColumns, alignRows, keyOf, keysOf } from './align-tables.ts';
import type { Box, PageReading, ReadCell, Reading, ReadTable } from './table-reader.ts';

/** A table as transcribed by an external model, without confidence scores: the text of every cell, row by row. */
export interface ClaimedTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

type OwnReading = Pick<PageReading, 'tables' | 'page'>;

/** How often a claim alone is exact, as far as it enters what two agreeing readings are worth. */
const CLAIM_CONFIDENCE = 0.8;
/** The share of its confidence that our own reading keeps if the claim says the cell is empty. */
const DOUBT = 0.5;
/** Share of a header's letters that may have been read differently. */
const HEADER_TOLERANCE = 0.34;
const UNCONFIRMED = 0;

/**
 * Claimed tables, each cell confirmed by our own reading of the same place, or not: what our own reading does not show has
 * confidence 0 and can confirm nothing. Header words that it does not show are left out, so that no column gets a meaning
 * that the page does not give it. Rows and tables that the claim leaves out stay as we read them.
 */
export function confirmTables(claims: readonly ClaimedTable[], own: OwnReading): readonly ReadTable[] {
  const left = [...own.tables];
  const confirmed = claims.map((claim) => {
    const best = left
      .map((table) => ({ table, common: commonKeys(claim, table) }))
      .sort((a, b) => b.common - a.common)
      .find(({ common }) => common > 0)?.table;
    if (best) left.splice(left.indexOf(best), 1);
    return confirmTable(claim, best ?? null, own.page);
  });
  return [...confirmed, ...left].sort((a, b) => a.box.y - b.box.y);
}

function commonKeys({ rows }: ClaimedTable, table: ReadTable): number {
  const own = new Set(table.cells.flatMap((cell) => keysOf(cell)));
  return rows.flat().filter((text) => own.has(keyOf(text))).length;
}

function confirmTable({ header, rows }: ClaimedTable, own: ReadTable | null, page: OwnReading['page']): ReadTable {
  const columnCount = Math.max(1, header.length, ...rows.map((row) => row.length));
  const ownRows = own ? rowsOf(own) : [];
  const partners = alignRows(rows, ownRows);
  const columns = alignColumns(rows, ownRows, partners, columnCount);
  const ownCell = (row: number | null, column: number) =>
    row === null || columns[column] === null ? null : (ownRows[row]?.[columns[column]!] ?? null);

  const order = orderOf(rows.length, ownRows, partners);
  const headerUntil = Math.min(ownRows.length, ...order.flatMap(({ own: row }) => row ?? []));
  const headerCell = (column: number): Written => {
    const read = ownRows
      .slice(0, headerUntil)
      .flatMap((row) => (columns[column] === null ? [] : (row[columns[column]!] ?? [])));
    return confirmHeader(header[column] ?? '', read);
  };
  const lines: { readonly own: number | null; readonly cells: readonly Written[] }[] = [
    { own: null, cells: Array.from({ length: columnCount }, (_, column) => headerCell(column)) },
    ...order.map((line) => ({
      own: line.own,
      cells: Array.from({ length: columnCount }, (_, column) => {
        const read = ownCell(line.own, column);
        return line.claim === null ? asRead(read) : confirmCell(rows[line.claim]![column] ?? '', read);
      }),
    })),
  ];
  const box = own?.box ?? { x: 0, y: 0, ...page };
  const placeOf = (index: number, column: number): Box => {
    const cell = ownCell(lines[index]!.own, column);
    if (cell) return cell.box;
    const even = { width: box.width / columnCount, height: box.height / lines.length };
    return { x: box.x + column * even.width, y: box.y + index * even.height, ...even };
  };
  return {
    box,
    rowCount: lines.length,
    columnCount,
    cells: lines.flatMap(({ cells }, row) =>
      cells.map((cell, column) => ({ row, column, rowSpan: 1, columnSpan: 1, box: placeOf(row, column), ...cell })),
    ),
    // Without our own table nothing shows whether the claim is complete.
    bounded: own?.bounded ?? false,
  };
}

type Written = Pick<ReadCell, 'blank' | 'text' | 'numeral'>;

const BLANK: Written = { blank: true, text: { text: '', confidence: 0 }, numeral: null };

function asRead(cell: ReadCell | null): Written {
  return cell ? { blank: cell.blank, text: cell.text, numeral: cell.numeral } : BLANK;
}

function confirmCell(claim: string, own: ReadCell | null): Written {
  if (claim.trim() === '') return own && !own.blank ? doubted(own) : BLANK;
  const reading = (text: string, read: Reading | null | undefined): Reading => ({
    text,
    confidence: read ? 1 - (1 - read.confidence) * (1 - CLAIM_CONFIDENCE) : UNCONFIRMED,
  });
  const key = keyOf(claim);
  const witness = own && [own.numeral, own.text].find((read) => read && keyOf(read.text) === key);
  const numeral = /^[.,\s-]*\d[\d.,\s-]*원?$/.test(claim) ? claim.replace(/[^\d.,-]/g, '') : null;
  return {
    blank: false,
    text: reading(claim, witness),
    numeral: numeral === null ? null : reading(numeral, witness),
  };
}

function doubted({ blank, text, numeral }: ReadCell): Written {
  const doubt = (reading: Reading): Reading => ({ ...reading, confidence: reading.confidence * DOUBT });
  return { blank, text: doubt(text), numeral: numeral && doubt(numeral) };
}

/** The claimed word where our own reading is much the same; else what we read ourselves, in the column's header cells. */
function confirmHeader(claim: string, own: readonly ReadCell[]): Written {
  const read = own.filter(({ blank }) => !blank);
  if (read.length === 0) return BLANK;
  const text = read.map((cell) => cell.text.text).join('');
  const confidence = Math.min(...read.map((cell) => cell.text.confidence));
  const [a, b] = [keyOf(claim), keyOf(text)];
  const isSame = a !== '' && editDistances(b, a).whole <= HEADER_TOLERANCE * Math.max(a.length, b.length);
  return { blank: false, text: { text: isSame ? claim : text, confidence }, numeral: null };
}

/** Our own cells by row and column; a merged cell counts in its first column. */
function rowsOf({ cells, rowCount }: ReadTable): readonly (readonly (ReadCell | undefined)[])[] {
  return Array.from({ length: rowCount }, (_, row) => {
    const sparse: (ReadCell | undefined)[] = [];
    for (const cell of cells) if (cell.row === row) sparse[cell.column] = cell;
    return sparse;
  });
}

interface Line {
  /** Row of the claim; null when it left the row out. */
  readonly claim: number | null;
  /** Row of our table; null if none matches. */
  readonly own: number | null;
}

/** The claimed rows, with our own rows that the claim left out in between. */
function orderOf(
  claimed: number,
  ownRows: readonly (readonly (ReadCell | undefined)[])[],
  partners: readonly (number | null)[],
): readonly Line[] {
  const order: Line[] = [];
  let next = 0;
  const leftOut = (until: number) => {
    for (; next < until; next++) if (isBody(ownRows[next]!)) order.push({ claim: null, own: next });
  };
  for (let claim = 0; claim < claimed; claim++) {
    const own = partners[claim] ?? null;
    if (own !== null) {
      leftOut(own);
      next = own + 1;
    }
    order.push({ claim, own });
  }
  leftOut(ownRows.length);
  return order;
}

/** Header words and remarks are not a row that could be left out: two numbers are. */
function isBody(row: readonly (ReadCell | undefined)[]): boolean {
  return row.filter((cell) => cell && !cell.blank && /^[.,-]*\d[\d.,-]*$/.test(cell.text.text)).length >= 2;
}
