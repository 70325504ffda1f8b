import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Dirent, opendirSync, rmdirSync, unlinkSync } from 'node:fs';
import { lstat, rmdir } from 'node:fs/promises';

/** With more in it, a directory is emptied by another process, and not in the runner's loop. */
const MAX_FLAT_FILES = 32;
/** In the place of bytes that are not UTF-8. */
const REPLACEMENT = '\uFFFD';

/**
 * Removes a directory regardless of how a program left it: nested deeper than the longest path, closed to its owner, with names in no
 * valid encoding. All the program's processes must have ended.
 * @param uid the user that owns the directory, whose rights are enough; null: the runner's own.
 */
export async function removeTree(
  path: string,
  { launcher }: { readonly launcher: string },
  uid: number | null,
): Promise<void> {
  if (removedFlat(path)) return;
  await empty(launcher, path, uid);
  if (await isRemoved(path)) return;
  // Something of another user is in it.
  await empty(launcher, path, null);
  if (!(await isRemoved(path))) throw new Error(`${path} cannot be removed.`);
}

/** Nearly every program leaves its own file and no more. */
function removedFlat(path: string): boolean {
  try {
    const names = flatNames(path);
    for (const name of names ?? []) unlinkSync(`${path}/${name}`);
    if (names !== null) rmdirSync(path);
    return names !== null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

function flatNames(path: string): string[] | null {
  const directory = opendirSync(path);
  try {
    const names: string[] = [];
    for (let entry: Dirent | null = directory.readSync(); entry !== null; entry = directory.readSync()) {
      if (entry.isDirectory() || entry.name.includes(REPLACEMENT) || names.length === MAX_FLAT_FILES) return null;
      names.push(entry.name);
    }
    return names;
  } finally {
    directory.closeSync();
  }
}

async function empty(launcher: string, path: string, uid: number | null): Promise<void> {
  const child = spawn(launcher, ['--empty', uid === null ? '-' : String(uid), path], { stdio: 'ignore', env: {} });
  await once(child, 'exit');
}

async function isRemoved(path: string): Promise<boolean> {
  await rmdir(path).catch(() => undefined);
  return lstat(path).then(
    () => false,
    () => true,
  );
}
