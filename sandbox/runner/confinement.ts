import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DiskSpace, freeSpace } from './disk-space.ts';
import { type MemoryGroups, openMemoryGroups } from './memory-groups.ts';
import { makePrivateDirectory, PASS_THROUGH, requireOwnDirectory, WRITABLE_BY_OTHERS } from './private-directory.ts';
import { removeTree } from './remove-tree.ts';

/** Nothing can run on this machine; the message gives the operator the reason. */
export class NoConfinement extends Error {
  override name = 'NoConfinement';
}

/** The means by which programs are confined on this machine. */
export interface Confinement {
  readonly launcher: string;
  /** Parent of the run directories. */
  readonly directory: string;
  readonly landlock: boolean;
  /** Whether each run gets its own file system, with a size that the kernel enforces, and a private `/tmp`. */
  readonly ownFiles: boolean;
  /** Free space before any run, if nothing else writes to the runs' file systems. */
  readonly freeWhenEmpty: DiskSpace | null;
  /** Null where this machine gives none: then memory is bounded by what the monitor counts. */
  readonly memoryGroups: MemoryGroups | null;
  /**
   * Where programs could find what those of other runners leave in shared directories, one runs at a time on the whole machine.
   * @returns what ends the turn; null: another runner has it
   */
  takeTurn(): Promise<(() => Promise<void>) | null>;
  /** A user id that no other run has; the least recently used one. Null: the runner's own. */
  acquireUid(): number | null;
  /** Call when nothing of that user is left. */
  releaseUid(uid: number): void;
  release(): Promise<void>;
}

export interface ConfinementOptions {
  /** Parent of the directory for runs; by default one of root's, or the system's temporary directory. */
  readonly base?: string;
  /** False to do without Landlock, as where the kernel has none. */
  readonly landlock?: boolean;
  /** False to do without file systems of the runs' own, as where none can be mounted. */
  readonly ownFiles?: boolean;
  /** True when nothing but this runner writes to the file system of `base`, and to shared directories. */
  readonly ownsFileSystem?: boolean;
  /** False to do without memory groups, as where the machine gives none. */
  readonly memoryGroups?: boolean;
}

/** World-writable directories: a program can write to them too, unless it has others in their place, or Landlock keeps it from it. */
export const SHARED_DIRECTORIES: readonly string[] = [
  ...new Set(['/tmp', '/var/tmp', '/dev/shm', '/dev/mqueue', '/run/lock', tmpdir()]),
];

/** For root's runners. No parent of a program's directory is world-writable, since interpreters look for files there. */
const ROOTS_BASE = '/var/lib/tripod-sandbox';

/** Users of one runner, used in turn. All are below 65,536, which is all that a rootless container has. */
const UIDS_PER_RUNNER = 100;
const FIRST_UID = 40_000;
const MAX_RUNNERS = 100;

/**
 * Sets up isolation for runs on this machine. As root: separate users. As any other user: that user, under a Landlock that confines
 * signals.
 * @throws NoConfinement if neither is possible: a program never runs unconfined.
 */
export async function acquireConfinement(options: ConfinementOptions = {}): Promise<Confinement> {
  const launcher = launcherPath();
  const uid = process.getuid?.();
  const landlock = options.landlock ?? true;
  const { number, lock } = await acquireNumber(uid ?? 0);
  try {
    const base = options.base ?? (await defaultBase(uid));
    if (options.ownsFileSystem && uid === 0) await chmod(base, PASS_THROUGH);
    const prefix = `tripod-sandbox-${uid}-${number}-`;
    await removeStale(base, prefix, launcher);
    const directory = await makePrivateDirectory(base, prefix).catch((cause: Error) => {
      throw new NoConfinement(cause.message, { cause });
    });
    const memoryGroups = (options.memoryGroups ?? true) ? openMemoryGroups(prefix) : null;
    return {
      launcher,
      directory,
      landlock,
      ownFiles: options.ownFiles ?? true,
      freeWhenEmpty: options.ownsFileSystem ? freeSpace([directory, ...SHARED_DIRECTORIES]) : null,
      memoryGroups,
      takeTurn: () => takeTurn(uid ?? 0),
      ...(uid === 0
        ? users(FIRST_UID + number * UIDS_PER_RUNNER)
        : { acquireUid: () => null, releaseUid: () => undefined }),
      async release() {
        memoryGroups?.close();
        await removeTree(directory, { launcher }, null);
        await closed(lock);
      },
    };
  } catch (error) {
    await closed(lock);
    throw error;
  }
}

async function defaultBase(uid: number | undefined): Promise<string> {
  if (uid !== 0) return tmpdir();
  const made = await mkdir(ROOTS_BASE, { recursive: true, mode: PASS_THROUGH }).catch((error: Error) => error);
  // On a disk that is read-only, say.
  return made instanceof Error ? tmpdir() : ROOTS_BASE;
}

/**
 * @throws NoConfinement if other users could place files in a parent of the programs' directory, where Node for example looks for
 * packages, and neither Landlock nor a private file system hides them
 */
export async function requireUnsharedPath({ landlock, ownFiles, directory }: Confinement): Promise<void> {
  if (landlock || ownFiles) return;
  for (let place = await realpath(directory); place !== dirname(place); place = dirname(place)) {
    const { mode } = await stat(place);
    if ((mode & WRITABLE_BY_OTHERS) === 0) continue;
    throw new NoConfinement(
      `Any user can write to ${place}, where interpreters look for packages, and this machine allows neither Landlock nor mounts. ` +
        'Set RUNNER_DIRECTORY to a directory that only root can write to.',
    );
  }
}

/** Removes what earlier runners of this number left when they were killed; what other users made by such a name stays. */
async function removeStale(base: string, prefix: string, launcher: string): Promise<void> {
  for (const name of await readdir(base)) {
    if (!name.startsWith(prefix)) continue;
    const path = join(base, name);
    const isOwn = await requireOwnDirectory(path).then(
      () => true,
      () => false,
    );
    // What cannot be removed does no harm: the new directory has another name.
    if (isOwn) await removeTree(path, { launcher }, null).catch(() => undefined);
  }
}

function users(first: number): Pick<Confinement, 'acquireUid' | 'releaseUid'> {
  const acquired = new Set<number>();
  let next = 0;
  return {
    acquireUid() {
      for (let tried = 0; tried < UIDS_PER_RUNNER; tried += 1) {
        const uid = first + (next++ % UIDS_PER_RUNNER);
        if (acquired.has(uid)) continue;
        acquired.add(uid);
        return uid;
      }
      throw new NoConfinement(`All ${UIDS_PER_RUNNER} users of this runner have something left on this machine.`);
    },
    releaseUid: (uid) => void acquired.delete(uid),
  };
}

function launcherPath(): string {
  if (process.platform !== 'linux')
    throw new NoConfinement(
      `Programs can be confined on Linux only, and this is ${process.platform}. Run Tripod in a Linux virtual machine or container.`,
    );
  const path = fileURLToPath(new URL(`../launcher/launch-linux-${process.arch}`, import.meta.url));
  if (!existsSync(path)) throw new NoConfinement(`There is no launcher for the processor ${process.arch}.`);
  return path;
}

/** A number that no other runner on this machine has. */
async function acquireNumber(uid: number): Promise<{ number: number; lock: Server }> {
  for (let number = 0; number < MAX_RUNNERS; number += 1) {
    const lock = await acquireName(`tripod-sandbox-${uid}-${number}`);
    if (lock !== null) return { number, lock };
  }
  throw new NoConfinement(`${MAX_RUNNERS} runners are at work on this machine already.`);
}

async function takeTurn(uid: number): Promise<(() => Promise<void>) | null> {
  const lock = await acquireName(`tripod-sandbox-turn-${uid}`);
  return lock && (() => closed(lock));
}

/** The name of an abstract socket, which the kernel frees on exit. @returns null when another process has it */
async function acquireName(name: string): Promise<Server | null> {
  const lock = createServer();
  const acquired = await new Promise<boolean>((resolve, reject) => {
    lock.once('listening', () => resolve(true));
    lock.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    lock.listen(`\0${name}`);
  });
  return acquired ? lock.unref() : null;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
