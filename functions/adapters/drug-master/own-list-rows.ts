import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { SheetError } from '../../shared/sheet-error.ts';
import { readSheetFile } from '../codecs/sheet-rows.ts';

const MAX_FILE_BYTES = 20 * 1024 * 1024;
/** A sheet of 100,000 rows and six columns unpacks to some 40 MB. */
const MAX_UNPACKED_BYTES = 48 * 1024 * 1024;

/**
 * Rows of a file that came as base64, and that gzip may have compressed.
 * @throws SheetError
 */
export async function ownListRows(base64: string): Promise<readonly (readonly string[])[]> {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64').replace(/={1,2}$/, '') !== base64.replace(/\s+/g, '').replace(/={1,2}$/, ''))
    throw new SheetError('file is not base64. Send the bytes of the CSV or XLSX file in standard base64.');
  const file = isGzip(bytes) ? await unzip(bytes) : bytes;
  if (file.length > MAX_FILE_BYTES) throw tooLarge();
  return (await readSheetFile(file, MAX_UNPACKED_BYTES)).rows;
}

async function unzip(bytes: Buffer): Promise<Buffer> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: MAX_FILE_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw new SheetError('file starts like one of gzip, but cannot be unpacked.', { cause: error });
  }
}

function tooLarge(): SheetError {
  return new SheetError(
    `The list has more than ${MAX_FILE_BYTES / 1024 / 1024} MB. Send only the rows that differ from the official list.`,
  );
}

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}
