import { strFromU8, unzip } from 'fflate';

/** A list of all drugs that are paid for has some 50,000 rows of 20 columns. */
const MAX_CELLS = 5_000_000;
const WORKSHEET = /^xl\/worksheets\/[^/]+\.xml$/;
const WORKBOOK = 'xl/workbook.xml';
const LETTERS = 26;

export interface SheetExtent {
  readonly rows: number;
  readonly columns: number;
}

export interface WorkbookLook {
  /** Why the file cannot be read; null when it can. */
  readonly refusal: string | null;
  /** Names of the sheets in their order, separated by line ends. */
  readonly sheetNames: string;
}

/**
 * Looks into an .xlsx file before it is read. A reader makes every cell up to the last one of a sheet, written or not: one
 * word in the last cell that there can be is 17 thousand million cells. Formulas are not worked out, links are not followed:
 * the values that the file keeps with them count, and a formula that keeps none is refused.
 * @throws Error when the file is no .zip file.
 */
export async function lookIntoWorkbook(bytes: Buffer, maxUnpackedBytes: number): Promise<WorkbookLook> {
  let unpackedBytes = 0;
  const refused = (refusal: string): WorkbookLook => ({ refusal, sheetNames: '' });
  const { [WORKBOOK]: book, ...sheets } = await new Promise<Record<string, Uint8Array>>((resolve, reject) => {
    const filter = ({ name, originalSize }: { readonly name: string; readonly originalSize: number }) => {
      unpackedBytes += originalSize;
      return unpackedBytes <= maxUnpackedBytes && (WORKSHEET.test(name) || name === WORKBOOK);
    };
    unzip(bytes, { filter }, (error, files) => (error ? reject(error) : resolve(files)));
  });
  if (unpackedBytes > maxUnpackedBytes)
    return refused(
      `The file has more than ${maxUnpackedBytes / 1024 / 1024} MB when it is unpacked. Save the list alone, as CSV.`,
    );
  for (const sheet of Object.values(sheets)) {
    const xml = Buffer.from(sheet.buffer, sheet.byteOffset, sheet.length).toString('latin1');
    const { rows, columns } = sheetExtent(xml);
    if (rows * columns > MAX_CELLS)
      return refused(
        `A sheet of the file goes down to row ${rows} and to the right to column ${columns}. Delete cells far from ` +
          'the list, or save the list as CSV.',
      );
    const formula = formulaWithoutValue(xml);
    if (formula !== null)
      return refused(
        `Cell ${formula} holds a formula without its value. Open the file in a spreadsheet program and save it, or save the list as CSV.`,
      );
  }
  const names = [...(book ? strFromU8(book) : '').matchAll(/<sheet [^>]{0,500}?name="([^"]{0,200})"/g)];
  return { refusal: null, sheetNames: names.map(([, name = '']) => name).join('\n') };
}

function formulaWithoutValue(xml: string): string | null {
  for (const part of xml.split('<c ').slice(1)) {
    const cell = part.slice(0, part.indexOf('</c>'));
    if (/<f[ >/]/.test(cell) && !cell.includes('<v>')) return /\br="([A-Z]{1,7}\d{1,10})"/.exec(cell)?.[1] ?? '?';
  }
  return null;
}

/** The last row and the last column that a worksheet's XML names a cell in. */
export function sheetExtent(xml: string): SheetExtent {
  let [rows, columns] = [0, 0];
  for (const [, letters = '', row] of xml.matchAll(/\sr="([A-Z]{1,7})(\d{1,10})"/g)) {
    rows = Math.max(rows, Number(row));
    columns = Math.max(
      columns,
      [...letters].reduce((number, letter) => number * LETTERS + ordinal(letter), 0),
    );
  }
  return { rows, columns };
}

function ordinal(letter: string): number {
  return letter.charCodeAt(0) - 'A'.charCodeAt(0) + 1;
}
