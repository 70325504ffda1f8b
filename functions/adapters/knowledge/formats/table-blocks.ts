import { parse } from 'csv-parse/sync';
import { DocumentUnreadable } from '../../../knowledge/domain/knowledge-base.ts';
import type { Block } from '../../../knowledge/domain/passages.ts';
import { SheetError } from '../../../shared/sheet-error.ts';
import { readWorkbook } from '../../codecs/workbook.ts';
import type { FormatText } from './format-text.ts';
import { requireArchive } from './zip-entries.ts';

/** Of the XML of the sheets. */
const MAX_UNPACKED_BYTES = 256 * 2 ** 20;

/**
 * The rows of every sheet of an .xlsx under the sheet's name, as a spreadsheet program shows them: hidden sheets, rows and columns are left out.
 * Formulas count as the values that the file keeps with them. @throws DocumentUnreadable
 */
export function xlsxBlocks(bytes: Uint8Array): FormatText {
  requireArchive(bytes);
  try {
    const sheets = readWorkbook(bytes, {
      maxUnpackedBytes: MAX_UNPACKED_BYTES,
      sheets: 'all',
      needsValues: false,
      cells: 'shown',
    });
    const blocks = sheets
      .filter(({ rows }) => rows.length > 0)
      .flatMap(({ name, rows }) => [{ kind: 'heading' as const, level: 1, text: name }, ...rowBlocks(rows)]);
    return { blocks, hasHidden: sheets.some(({ hasHidden }) => hasHidden) };
  } catch (error) {
    if (error instanceof SheetError) throw new DocumentUnreadable('too_large', error.message, { cause: error });
    throw new DocumentUnreadable('unreadable', 'The file is damaged. Save it once more.', { cause: error });
  }
}

/** The rows of a text whose columns are separated by commas, semicolons or tabs. @throws DocumentUnreadable */
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
