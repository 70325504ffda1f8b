import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MemoryGroups, openMemoryGroups } from './memory-groups.ts';
import { makePrivateDirectory, requireOwnDirectory } from './private-directory.ts';
import { removeTree } from './remove-tree.ts';

/** Nothing can be run on this machine; the message tells the operator why. */
export class NoConfinement extends Error {
  override name = 'NoConfinement';
}

/** The means by which programs are confined on this machine. */
export interface Confinement {
  readonly launcher: string;
  /** Parent of the run directories. */
  readonly directory: string;
  readonly landlock: boolean;
  /** Null where this machine gives none: then memory is bounded by what the monitor counts. */
  readonly memoryGroups: MemoryGroups | null;
  /** A user id that no other run has; the least recently used one. Null: the runner's own. */
  acquireUid(): number | null;
  /** Call when nothing of that user is left. */
  releaseUid(uid: number): void;
  release(): Promise<void>;
}

export interface ConfinementOptions {
  /** Parent of the directory for runs; by default the system's temporary directory. */
  readonly base?: string;
  /** False to do without Landlock, as where the kernel has none. */
  readonly landlock?: boolean;
  /** False to do without memory groups, as where the machine gives none. */
  readonly memoryGroups?: boolean;
}

/** Users of one runner, used in turn. All lie below 65,536, which is all that a rootless container has. */
const UIDS_PER_RUNNER = 100;
const FIRST_UID = 40_000;
const MAX_RUNNERS = 100;

/**
 * Acquires what runs need on this machine. As root: users of their own. As anyone else: the own user, behind a Landlock
 * that keeps signals in. @throws NoConfinement where neither is possible: a program is never run bare.
 */
export async function acquireConfinement(options: ConfinementOptions = {}): Promise<Confinement> {
  const launcher = launcherPath();
  const uid = process.getuid?.();
  const landlock = options.landlock ?? true;
  const { number, lock } = await acquireNumber(uid ?? 0);
  try {
    const base = options.base ?? tmpdir();
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
      memoryGroups,
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

/** A number that no other runner on this machine has: the name of an abstract socket, which the kernel frees on exit. */
async function acquireNumber(uid: number): Promise<{ number: number; lock: Server }> {
  for (let number = 0; number < MAX_RUNNERS; number += 1) {
    const lock = createServer();
    const acquired = await new Promise<boolean>((resolve, reject) => {
      lock.once('listening', () => resolve(true));
      lock.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
      );
      lock.listen(`\0tripod-sandbox-${uid}-${number}`);
    });
    if (acquired) return { number, lock: lock.unref() };
  }
  throw new NoConfinement(`${MAX_RUNNERS} runners are at work on this machine already.`);
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
