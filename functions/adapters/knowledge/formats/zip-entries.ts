import { strFromU8, unzipSync } from 'fflate';
import { DocumentUnreadable } from '../../../knowledge/domain/knowledge-base.ts';

/** Of all entries that are read, unpacked: an entry never becomes larger than it says. */
const MAX_UNPACKED_BYTES = 256 * 2 ** 20;
const ZIP_MARK = [0x50, 0x4b];
/** Files of Office that are protected, or older than 2007. */
const OLE_MARK = [0xd0, 0xcf, 0x11, 0xe0];

export type ZipEntries = Readonly<Record<string, string>>;

/** The XML of an archive, unpacked within bounds. Pictures, macros and fonts stay packed. @throws DocumentUnreadable */
export function zipEntries(bytes: Uint8Array, isWanted: (name: string) => boolean): ZipEntries {
  requireArchive(bytes);
  let unpackedBytes = 0;
  try {
    const entries = unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (!isWanted(name)) return false;
        unpackedBytes += originalSize;
        if (unpackedBytes > MAX_UNPACKED_BYTES)
          throw new DocumentUnreadable(
            'too_large',
            `The text of the file has more than ${MAX_UNPACKED_BYTES / 2 ** 20} MB when it is unpacked. Split it.`,
          );
        return true;
      },
    });
    return Object.fromEntries(Object.entries(entries).map(([name, content]) => [name, strFromU8(content)]));
  } catch (error) {
    if (error instanceof DocumentUnreadable) throw error;
    throw new DocumentUnreadable('unreadable', 'The file is damaged. Save it once more.', { cause: error });
  }
}

/** @throws DocumentUnreadable for files that are not an archive */
export function requireArchive(bytes: Uint8Array): void {
  if (startsWith(bytes, OLE_MARK))
    throw new DocumentUnreadable(
      'unreadable',
      'The file is protected by a password, or of a format before 2007 (.doc, .xls, .ppt): a .doc has the type application/msword. Save it unprotected in the present format.',
    );
  if (!isArchive(bytes)) throw notOfType();
}

export function isArchive(bytes: Uint8Array): boolean {
  return startsWith(bytes, ZIP_MARK);
}

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

/** An entry that the format must have. @throws DocumentUnreadable */
export function entryOf(entries: ZipEntries, name: string): string {
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
  if (entry === undefined) throw notOfType();
  return entry;
}

function notOfType(): DocumentUnreadable {
  return new DocumentUnreadable('unreadable', 'The file is of another type than its content_type says.');
}
