import { parse } from 'csv-parse/sync';
import iconv from 'iconv-lite';
import { SheetError } from '../../shared/sheet-error.ts';
import { readWorkbook } from './workbook.ts';

const ZIP_MAGIC = 'PK';
/** A monthly list unpacks to some 20 MB. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
/** The portal's master has some 300,000. */
const MAX_CSV_ROWS = 500_000;
const OLD_EXCEL_MAGIC = 'd0cf11e0a1b11ae1';

type Rows = readonly (readonly string[])[];

/**
 * Rows of a spreadsheet (XLSX, first sheet) or of a CSV/TSV file in UTF-8 (with or without BOM) or CP949, every cell as
 * text. The kind of file is judged by content, not by name.
 * @throws SheetError with a message that says what to do instead.
 */
export async function sheetRows(bytes: Buffer): Promise<Rows> {
  return (await readSheetFile(bytes)).rows;
}

export interface SheetFile {
  readonly rows: Rows;
  /** Name of each sheet, a line each; '' for a file that has none. */
  readonly sheetNames: string;
}

/** As `sheetRows`, with the names of the sheets: published lists say their date there. */
export async function readSheetFile(bytes: Buffer, maxUnpackedBytes = MAX_UNPACKED_BYTES): Promise<SheetFile> {
  if (bytes.length === 0) throw new SheetError('The file is empty.');
  if (bytes.toString('latin1', 0, 2) === ZIP_MAGIC) return excelRows(bytes, maxUnpackedBytes);
  if (bytes.toString('hex', 0, 8) === OLD_EXCEL_MAGIC)
    throw new SheetError('This is an old .xls file: open it in a spreadsheet program and save it as .xlsx or CSV.');
  return { rows: csvRows(decodeText(bytes)), sheetNames: '' };
}

function excelRows(bytes: Buffer, maxUnpackedBytes: number): SheetFile {
  try {
    const sheets = readWorkbook(bytes, { maxUnpackedBytes, sheets: 'first', needsValues: true, cells: 'stored' });
    return { rows: sheets[0]?.rows ?? [], sheetNames: sheets.map(({ name }) => name).join('\n') };
  } catch (error) {
    if (error instanceof SheetError) throw error;
    throw new SheetError(
      'The file looks like .xlsx but cannot be read as one. Is it damaged or protected by a password?',
      {
        cause: error,
      },
    );
  }
}

function csvRows(text: string): Rows {
  if (text.includes('\0')) throw new SheetError('The file is neither .xlsx nor a text file.');
  const firstLines = text.slice(0, 4096);
  const delimiter = firstLines.split('\t').length > firstLines.split(',').length ? '\t' : ',';
  try {
    const rows: string[][] = parse(text, {
      delimiter,
      relaxColumnCount: true,
      relaxQuotes: true,
      skipEmptyLines: true,
      to: MAX_CSV_ROWS + 1,
    });
    if (rows.length > MAX_CSV_ROWS) throw new SheetError(`The file has more than ${MAX_CSV_ROWS} rows.`);
    return rows;
  } catch (error) {
    if (error instanceof SheetError) throw error;
    throw new SheetError(`The file cannot be read as CSV: ${(error as Error).message}`, { cause: error });
  }
}

function decodeText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Not TextDecoder: Node's `euc-kr` knows only the 2,350 syllables of KS X 1001, and tears the other 8,822 apart.
    const text = iconv.decode(bytes, 'cp949');
    const broken = text.indexOf('\ufffd');
    if (broken >= 0)
      throw new SheetError(
        `Line ${text.slice(0, broken).split('\n').length} holds bytes that are neither UTF-8 nor CP949. Was the file cut or changed on its way?`,
      );
    return text;
  }
}
