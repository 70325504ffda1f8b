import { chmod, lstat, mkdtemp, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Lets others reach their own files below, without listing names. */
export const PASS_THROUGH = 0o711;
const STICKY = 0o1000;
export const WRITABLE_BY_OTHERS = 0o002;
const WRITABLE_BY_GROUP = 0o020;

/**
 * Makes a directory under a name that did not exist, so that no other user can have prepared it.
 * @throws when another user could put something else in its place
 */
export async function makePrivateDirectory(parent: string, prefix: string): Promise<string> {
  const base = await realpath(parent);
  const { uid, gid, mode } = await stat(base);
  const isOthers = uid !== 0 && uid !== process.getuid?.();
  const isShared =
    (mode & WRITABLE_BY_OTHERS) !== 0 || ((mode & WRITABLE_BY_GROUP) !== 0 && gid !== process.getgid?.());
  if (isOthers || (isShared && (mode & STICKY) === 0))
    throw new Error(
      `Other users can replace files in ${base} (owner ${uid}, mode ${(mode & 0o7777).toString(8)}). Set its sticky bit, or choose another directory.`,
    );
  const path = await mkdtemp(join(base, prefix));
  await chmod(path, PASS_THROUGH);
  return path;
}

/** @throws unless it is a directory, not a link, that this user owns and no other can write to. */
export function requireOwnDirectory(path: string): Promise<void> {
  return requireDirectoryOf(path, [process.getuid?.() ?? 0]);
}

/** As before, or one that root owns. */
export function requireTrustedDirectory(path: string): Promise<void> {
  return requireDirectoryOf(path, [0, process.getuid?.() ?? 0]);
}

async function requireDirectoryOf(path: string, owners: readonly number[]): Promise<void> {
  const stats = await lstat(path);
  if (!stats.isDirectory()) throw new Error(`${path} is not a directory.`);
  if (!owners.includes(stats.uid)) throw new Error(`${path} belongs to user ${stats.uid}.`);
  if ((stats.mode & (WRITABLE_BY_OTHERS | WRITABLE_BY_GROUP)) !== 0) throw new Error(`Others can write to ${path}.`);
}
