import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, readdirSync } from 'node:fs';
import { chown, lstat, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Directories that everybody may write to. Without Landlock a program can too: they count, and they are swept. */
const PUBLIC_DIRECTORIES = [...new Set(['/tmp', '/var/tmp', '/dev/shm', '/dev/mqueue', '/run/lock', tmpdir()])];

export interface DirectoryOptions {
  readonly parent: string;
  readonly name: string;
  /** Its only user; null for the runner's own. */
  readonly uid: number | null;
  /** True when nothing keeps the program from writing elsewhere. */
  readonly leaksToPublic: boolean;
}

/**
 * The one directory that a run can write to. Once the program has been in it, a privileged process opens nothing there:
 * names may have become links to anything. It looks with lstat and it unlinks.
 */
export class RunDirectory {
  readonly path: string;
  readonly #uid: number | null;
  readonly #leaksToPublic: boolean;

  private constructor({ parent, name, uid, leaksToPublic }: DirectoryOptions) {
    this.path = join(parent, name);
    this.#uid = uid;
    this.#leaksToPublic = leaksToPublic;
  }

  static async make(options: DirectoryOptions, files: Readonly<Record<string, string>>): Promise<RunDirectory> {
    const directory = new RunDirectory(options);
    await mkdir(directory.path, { mode: 0o700 });
    for (const [name, content] of Object.entries(files))
      await writeFile(join(directory.path, name), content, { mode: 0o444 });
    if (options.uid !== null) await chown(directory.path, options.uid, options.uid);
    return directory;
  }

  /** Bytes on disk and entries, as far as they can be counted while the program changes them. */
  usage(mostEntries: number): { bytes: number; entries: number } {
    const total = { bytes: 0, entries: 0 };
    const places = [this.path, ...this.#strays()];
    for (let place = places.pop(); place !== undefined && total.entries <= mostEntries; place = places.pop()) {
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
  }

  #strays(): string[] {
    const uid = this.#uid;
    return this.#leaksToPublic && uid !== null ? PUBLIC_DIRECTORIES.flatMap((place) => ownedEntries(place, uid)) : [];
  }
}

/** Removes a tree whatever a program has built: nested deeper than a path can say, or closed to its own owner. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    if (process.getuid?.() !== 0) await openUp(path);
    // It walks by descriptors, and follows no link.
    const tool = spawn('/bin/rm', ['-rf', '--', path], { stdio: 'ignore', env: {} });
    await once(tool, 'exit');
    if (await lstat(path).catch(() => null)) throw new Error(`${path} cannot be removed.`);
  }
}

async function openUp(path: string): Promise<void> {
  const tool = spawn('/bin/chmod', ['-R', 'u+rwX', '--', path], { stdio: 'ignore', env: {} });
  await once(tool, 'exit');
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

/** What an earlier runner left in its parent directory when it was killed. */
export async function emptyDirectory(parent: string): Promise<void> {
  for (const name of await readdir(parent)) await removeTree(join(parent, name));
}
