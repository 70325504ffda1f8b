import { unzip } from 'fflate';

/** A list of all drugs that are paid for has some 50,000 rows of 20 columns. */
const MAX_CELLS = 5_000_000;
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
const WORKSHEET = /^xl\/worksheets\/[^/]+\.xml$/;
const LETTERS = 26;

export interface SheetExtent {
  readonly rows: number;
  readonly columns: number;
}

/**
 * Why an .xlsx file is too large to read; null for one that is not. A reader makes every cell up to the last one of a sheet,
 * written or not: one word in the last cell that there can be is 17 thousand million cells.
 * @throws Error when the file is no .zip file.
 */
export async function sizeRefusal(bytes: Buffer): Promise<string | null> {
  let unpackedBytes = 0;
  const sheets = await new Promise<Record<string, Uint8Array>>((resolve, reject) => {
    const filter = ({ name, originalSize }: { readonly name: string; readonly originalSize: number }) => {
      unpackedBytes += originalSize;
      return unpackedBytes <= MAX_UNPACKED_BYTES && WORKSHEET.test(name);
    };
    unzip(bytes, { filter }, (error, files) => (error ? reject(error) : resolve(files)));
  });
  if (unpackedBytes > MAX_UNPACKED_BYTES)
    return `The file has more than ${MAX_UNPACKED_BYTES / 1024 / 1024} MB when it is unpacked. Save the list alone, as CSV.`;
  for (const sheet of Object.values(sheets)) {
    const { rows, columns } = sheetExtent(Buffer.from(sheet.buffer, sheet.byteOffset, sheet.length).toString('latin1'));
    if (rows * columns > MAX_CELLS)
      return (
        `A sheet of the file goes down to row ${rows} and to the right to column ${columns}. Delete what stands far from ` +
        'the list, or save the list as CSV.'
      );
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
