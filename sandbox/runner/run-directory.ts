import { randomUUID } from 'node:crypto';
import { chownSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Confinement } from './confinement.ts';
import { type PlacedFile, placeFiles } from './place-files.ts';
import { removeTree } from './remove-tree.ts';

/**
 * Replaces a file in one step; processes that have the old one open keep it. One of the two always exists, since an interpreter may open
 * its program at this moment. No program may have run there yet.
 */
export function replaceFile(directory: string, name: string, content: string): void {
  const next = join(directory, `.${randomUUID()}`);
  writeFileSync(next, content, NEW_FILE);
  renameSync(next, join(directory, name));
}

/** Exclusively: what exists already, a link too, is an error. */
const NEW_FILE = { mode: 0o444, flag: 'wx' };

/**
 * The one directory that a run can write to, and its only user. Once the program has been in it, the runner opens no file
 * there: names may have become links to anything. It is counted and removed by the launcher.
 */
export class RunDirectory {
  readonly path: string;
  /** Null: the runner's own user. */
  readonly uid: number | null;
  readonly #confinement: Confinement;

  private constructor(confinement: Confinement) {
    this.path = join(confinement.directory, randomUUID());
    this.uid = confinement.acquireUid();
    this.#confinement = confinement;
  }

  /** @param placed files of the run, also in subdirectories; with a private file system they come later, by `place`. */
  static async make(
    confinement: Confinement,
    files: Readonly<Record<string, string>> = {},
    placed?: readonly PlacedFile[],
  ): Promise<RunDirectory> {
    const directory = new RunDirectory(confinement);
    const { path, uid } = directory;
    try {
      mkdirSync(path, { mode: 0o700 });
      for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content, NEW_FILE);
      if (placed !== undefined && !confinement.ownFiles) placeFiles(path, placed, uid);
      if (uid !== null) chownSync(path, uid, uid);
      return directory;
    } catch (error) {
      await directory.remove();
      throw error;
    }
  }

  /** Call after the last process of the run is gone. */
  async remove(): Promise<void> {
    await removeTree(this.path, this.#confinement, this.uid);
    if (this.uid !== null) this.#confinement.releaseUid(this.uid);
  }
}

/** Stacks name files as the program's author does. */
export function withoutPath(text: string, { path }: Pick<RunDirectory, 'path'>): string {
  return text.replaceAll(`${path}/`, '');
}

/** Matches the rest of a path in a stack, and its line. */
const LINE_OF_FILE = /^[^\n"':()]{1,200}(?::\d|", line \d)/;

/** The same for a stack in other output, where all other paths stay as the program has printed them. */
export function withoutPathInStacks(text: string, { path }: Pick<RunDirectory, 'path'>): string {
  const [first = '', ...rest] = text.split(`${path}/`);
  return first + rest.map((part) => (LINE_OF_FILE.test(part) ? part : `${path}/${part}`)).join('');
}
