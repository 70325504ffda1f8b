import { globSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Paths of all files in a folder and below, relative to it, with slashes, sorted. */
export function filesOf(folder: string): readonly string[] {
  return globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .sort();
}

export function folderBytes(folder: string): number {
  return filesOf(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
}
