import { parse } from 'csv-parse/sync';
import readXlsxFile from 'read-excel-file/node';
import { DocumentUnreadable } from '../../../knowledge/domain/knowledge-base.ts';
import type { Block } from '../../../knowledge/domain/passages.ts';
import { sheetExtent } from '../../codecs/sheet-extent.ts';
import { entryOf, zipEntries } from './zip-entries.ts';

/** A reader makes every cell up to the last one of a sheet, written or not. */
const MAX_CELLS = 5_000_000;
const WORKBOOK = 'xl/workbook.xml';
const WORKSHEET = /^xl\/worksheets\/[^/]+\.xml$/;

/** The rows of every sheet of an .xlsx under the sheet's name. Formulas count as the values that the file keeps with them. */
export async function xlsxBlocks(bytes: Uint8Array): Promise<Block[]> {
  const entries = zipEntries(bytes, (name) => name.startsWith('xl/') && name.endsWith('.xml'));
  entryOf(entries, WORKBOOK);
  let cells = 0;
  for (const [name, xml] of Object.entries(entries)) {
    if (!WORKSHEET.test(name)) continue;
    const { rows, columns } = sheetExtent(xml);
    cells += rows * columns;
  }
  if (cells > MAX_CELLS)
    throw new DocumentUnreadable(
      'too_large',
      `The sheets have ${cells} cells up to the last ones that are written. Delete cells far from the tables, or save them as CSV.`,
    );
  try {
    // Of a damaged sheet the reader may give no rows.
    const sheets = (await readXlsxFile(Buffer.from(bytes))) as { sheet: string; data?: unknown[][] }[];
    return sheets.flatMap(({ sheet, data = [] }) => [
      { kind: 'heading' as const, level: 1, text: sheet },
      ...rowBlocks(data.map((row) => row.map(cellText))),
    ]);
  } catch (error) {
    throw new DocumentUnreadable('unreadable', 'The file is damaged. Save it once more.', { cause: error });
  }
}

function cellText(cell: unknown): string {
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  return cell === null || cell === undefined ? '' : String(cell).trim();
}

/** The rows of a text whose columns are parted by commas, semicolons or tabs. @throws DocumentUnreadable */
export function csvBlocks(text: string): Iterable<Block> {
  const [line = ''] = text.split(/\r?\n/, 1);
  const delimiter = [',', '\t', ';'].toSorted((a, b) => line.split(b).length - line.split(a).length)[0]!;
  try {
    const rows = parse(text, {
      ...{ bom: true, delimiter, relax_quotes: true, relax_column_count: true, skip_empty_lines: true, trim: true },
    }) as string[][];
    return rowBlocks(rows);
  } catch (error) {
    throw new DocumentUnreadable('unreadable', `The file cannot be read as CSV: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** A block for each row, which names its columns: it is understood without the rows above it. */
function* rowBlocks(rows: readonly (readonly string[])[]): Generator<Block> {
  const first = rows.findIndex((row) => row.filter((cell) => cell !== '').length > 1);
  const header = first < 0 ? [] : rows[first]!;
  for (const [index, row] of rows.entries()) {
    if (index === first) continue;
    const named = row.flatMap((cell, column) => {
      if (cell === '') return [];
      const name = index > first ? (header[column] ?? '') : '';
      return [name === '' ? cell : `${name}: ${cell}`];
    });
    if (named.length > 0) yield { kind: 'text', text: named.join(', ') };
  }
  // A table of one row, or of headings alone.
  if (first >= 0 && rows.length === first + 1)
    yield { kind: 'text', text: header.filter((cell) => cell !== '').join(', ') };
}
