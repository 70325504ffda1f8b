import type { MasterDrug } from './drug-master.ts';
import { type MasterData, MasterFileError, newestPriceDate, sortDrugs } from './master-file.ts';

const COLUMNS = ['code', 'name', 'maker', 'unit', 'price', 'from'] as const;

/** Whether a table's first row is that of a list with its history: code, name, maker, unit, price, from. */
export function isHistory(rows: readonly (readonly string[])[]): boolean {
  return COLUMNS.every((column, i) => rows[0]?.[i]?.trim().toLowerCase() === column);
}

/**
 * A drug list that carries its own price history: one row a price, `from` the ISO date of force, no price from the date on
 * which the drug left the list.
 * @throws MasterFileError that names the first row that is wrong.
 */
export function masterOfHistory(rows: readonly (readonly string[])[]): MasterData {
  const listed = rows
    .slice(1)
    .map((row, i) => (row.every((cell) => cell.trim() === '') ? null : drugOfRow(row, i + 2)))
    .filter((drug) => drug !== null);
  const drugs = sortDrugs(listed);
  return { info: { version: newestPriceDate(drugs), dates: [], source: '', attribution: '' }, drugs };
}

function drugOfRow(row: readonly string[], rowNumber: number): MasterDrug {
  const [code = '', name = '', maker = '', unit = '', price = '', from = ''] = row.map((cell) => cell.trim());
  if (code === '') throw new MasterFileError(`Row ${rowNumber}: the code is missing.`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(from))
    throw new MasterFileError(`Row ${rowNumber}: "from" is ${JSON.stringify(from)}, not a date like 2026-11-01.`);
  const krw = price === '' ? null : Number(price.replaceAll(',', ''));
  if (krw !== null && !(krw >= 0))
    throw new MasterFileError(`Row ${rowNumber}: the price ${JSON.stringify(price)} is not a number of KRW.`);
  return { code, name, maker, unit, oldCodes: [], prices: [{ from, krw, listed: krw !== null }] };
}
