import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file of a run, with its content. */
export interface PlacedFile {
  readonly path: string;
  readonly bytes: Buffer;
}

/** Directory that the files of a program's result are taken from. */
const OUTPUTS = 'out';

/**
 * Puts the files of a run in a directory in which no program has run yet, as the run's user's own. Their paths are checked: none
 * leads out of it, and none is another one's directory.
 * @param uid null: the runner's own user
 */
export function placeFiles(directory: string, files: readonly PlacedFile[], uid: number | null): void {
  const own = (path: string) => {
    if (uid !== null) chownSync(path, uid, uid);
  };
  const made = new Set(['.']);
  const makeDirectory = (path: string) => {
    if (made.has(path)) return;
    makeDirectory(dirname(path));
    mkdirSync(join(directory, path), { mode: 0o700 });
    own(join(directory, path));
    made.add(path);
  };
  makeDirectory(OUTPUTS);
  for (const { path, bytes } of files) {
    makeDirectory(dirname(path));
    const place = join(directory, path);
    writeFileSync(place, bytes, { mode: 0o600, flag: 'wx' });
    own(place);
  }
}
