import { randomUUID } from 'node:crypto';
import { chownSync, lstatSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Confinement } from './confinement.ts';
import { removeTree } from './remove-tree.ts';

/** World-writable directories. Without Landlock a program can write to them too, so they are counted and swept. */
const PUBLIC_DIRECTORIES = [...new Set(['/tmp', '/var/tmp', '/dev/shm', '/dev/mqueue', '/run/lock', tmpdir()])];
/** Exclusively: what exists already, a link too, is an error. */
const NEW_FILE = { mode: 0o444, flag: 'wx' };

/**
 * The one directory that a run can write to, and its only user. Once the program has been in it, a privileged process opens
 * nothing there: names may have become links to anything. It looks with lstat and it unlinks.
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

  static async make(confinement: Confinement, files: Readonly<Record<string, string>> = {}): Promise<RunDirectory> {
    const directory = new RunDirectory(confinement);
    const { path, uid } = directory;
    try {
      mkdirSync(path, { mode: 0o700 });
      for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content, NEW_FILE);
      if (uid !== null) chownSync(path, uid, uid);
      return directory;
    } catch (error) {
      await directory.remove();
      throw error;
    }
  }

  /** Puts a file in the place of what is there by that name, which stays for those who have it open. No program may have run. */
  replace(name: string, content: string): void {
    const draft = `${this.path}.${name}`;
    writeFileSync(draft, content, NEW_FILE);
    renameSync(draft, join(this.path, name));
  }

  /** Bytes on disk and entries, as far as they can be counted while the program changes them. */
  usage(maxEntries: number): { bytes: number; entries: number } {
    const total = { bytes: 0, entries: 0 };
    const places = [this.path, ...this.#strays()];
    for (let place = places.pop(); place !== undefined && total.entries <= maxEntries; place = places.pop()) {
      try {
        const stat = lstatSync(place);
        total.entries += 1;
        total.bytes += stat.blocks * 512;
        if (stat.isDirectory()) for (const name of readdirSync(place)) places.push(`${place}/${name}`);
      } catch {
        // Gone again, or nested too deep for its path: then the number of entries tells.
      }
    }
    return total;
  }

  /** After the last process of the run is gone. */
  async remove(): Promise<void> {
    for (const place of [this.path, ...this.#strays()]) await removeTree(place);
    if (this.uid !== null) this.#confinement.releaseUid(this.uid);
  }

  #strays(): string[] {
    const { uid } = this;
    if (this.#confinement.landlock || uid === null) return [];
    return PUBLIC_DIRECTORIES.flatMap((place) => ownedEntries(place, uid));
  }
}

function ownedEntries(directory: string, uid: number): string[] {
  try {
    return readdirSync(directory)
      .map((name) => join(directory, name))
      .filter((path) => isOwned(path, uid));
  } catch {
    return [];
  }
}

function isOwned(path: string, uid: number): boolean {
  try {
    return lstatSync(path).uid === uid;
  } catch {
    return false;
  }
}
