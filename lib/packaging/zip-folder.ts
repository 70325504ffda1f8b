import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Zippable, zipSync } from 'fflate';
import { filesOf } from './files-of.ts';

const MADE_ON_UNIX = 3;
const READABLE_FILE = 0o100644 << 16;

/** The earliest that a zip can hold, in local time. */
const MTIME = new Date(1980, 0, 1);

/** Zips a folder; the same files give the same bytes. */
export async function zipFolder(folder: string, archive: string): Promise<void> {
  const entries: Zippable = {};
  for (const file of filesOf(folder))
    entries[file] = [await readFile(join(folder, file)), { os: MADE_ON_UNIX, attrs: READABLE_FILE, mtime: MTIME }];
  await writeFile(archive, zipSync(entries, { level: 6 }));
}
