import { MasterFileError } from './master-file.ts';

/** One monthly list: what every drug cost from its date on. */
export interface PriceList {
  readonly date: string;
  readonly drugs: ReadonlyMap<string, ListedDrug>;
}

export interface ListedDrug {
  readonly code: string;
  readonly name: string;
  readonly maker: string;
  readonly unit: string;
  /** Codes before the list was renumbered. */
  readonly oldCodes: readonly string[];
  /** Null for a drug on the list without a price. */
  readonly krw: number | null;
}

type ListColumn = 'code' | 'name' | 'maker' | 'size' | 'unit' | 'price';

/** Header words of HIRA's list and of its common exports, without blanks. */
const HEADER_WORDS: Record<ListColumn, readonly string[]> = {
  code: ['제품코드', '약품코드', '보험코드', '청구코드', '품목코드'],
  name: ['제품명', '약품명', '품명', '품목명'],
  maker: ['업체명', '제조사', '제조업체', '제조사명', '회사명'],
  size: ['규격'],
  unit: ['단위'],
  price: ['상한금액', '상한가', '보험가', '약가', '상한금액(원)'],
};
const REQUIRED = ['code', 'name', 'price'] as const;
const ROWS_SEARCHED_FOR_HEADER = 30;

/**
 * Picks the drugs out of a published list's rows (strings as in the sheet): finds the columns by their header words, skips
 * title and heading rows, restores leading zeros of codes that a spreadsheet took for numbers.
 * @param date ISO date of the list; the sheets do not say it.
 * @throws MasterFileError when the rows are no such list.
 */
export function readPriceList(rows: readonly (readonly string[])[], date: string): PriceList {
  const { headerRow, columns } = findColumns(rows);
  const drugs = new Map<string, ListedDrug>();
  for (const row of rows.slice(headerRow + 1)) {
    const cell = (column: ListColumn) => row[columns.get(column) ?? -1]?.trim() ?? '';
    const code = restoreCode(cell('code'));
    const krw = parsePrice(cell('price'));
    if (code === null || krw === null) continue;
    const unit = [cell('size'), cell('unit')].filter(Boolean).join(' ');
    drugs.set(code, { code, name: cell('name'), maker: cell('maker'), unit, oldCodes: [], krw });
  }
  if (drugs.size === 0)
    throw new MasterFileError(
      'The list holds no drug: no row has both a product code (제품코드) and a price (상한금액).',
    );
  return { date, drugs };
}

function findColumns(rows: readonly (readonly string[])[]) {
  for (const [headerRow, row] of rows.slice(0, ROWS_SEARCHED_FOR_HEADER).entries()) {
    const words = row.map((cell) => cell.replace(/\s+/g, ''));
    const columns = new Map<ListColumn, number>();
    for (const [column, synonyms] of Object.entries(HEADER_WORDS) as [ListColumn, readonly string[]][]) {
      const index = words.findIndex((word) => synonyms.includes(word));
      if (index >= 0) columns.set(column, index);
    }
    if (REQUIRED.every((column) => columns.has(column))) return { headerRow, columns };
  }
  throw new MasterFileError(
    `This is not a drug price list: none of its first ${ROWS_SEARCHED_FOR_HEADER} rows names the columns 제품코드, 제품명 and 상한금액.`,
  );
}

/** Null for what is no code: group headings stand in the same column. */
function restoreCode(cell: string): string | null {
  const code = cell.replace(/\.0+$/, '').toUpperCase();
  if (/^\d{6,9}$/.test(code)) return code.padStart(9, '0');
  if (/^880\d{10}$/.test(code)) return code.slice(3, 12);
  return /^[A-Z]\d{7,8}$/.test(code) ? code : null;
}

function parsePrice(cell: string): number | null {
  const digits = cell.replace(/[,\s원₩]/g, '');
  return /^\d+(\.\d+)?$/.test(digits) ? Number(digits) : null;
}
