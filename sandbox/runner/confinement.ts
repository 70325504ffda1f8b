import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { emptyDirectory } from './remove-tree.ts';

/** Why nothing can be run here, in words for the operator. */
export class NoConfinement extends Error {
  override name = 'NoConfinement';
}

/** How programs are kept in on this machine. */
export interface Confinement {
  readonly launcher: string;
  /** Where the runs' directories are made. */
  readonly directory: string;
  readonly landlock: boolean;
  /** A user that no other run has had lately and none has now; null: the runner's own. */
  claimUid(): number | null;
  /** When nothing of that user is left. */
  releaseUid(uid: number): void;
  release(): Promise<void>;
}

export interface ConfinementOptions {
  /** Parent of the directory for runs; by default the system's temporary directory. */
  readonly base?: string;
  /** False to do without Landlock, as where the kernel has none. */
  readonly landlock?: boolean;
}

/** Users of one runner, used in turn. All lie below 65,536, which is all that a rootless container has. */
const UIDS_EACH = 100;
const FIRST_UID = 40_000;
const MOST_RUNNERS = 100;

/**
 * Claims what runs need on this machine. As root: users of their own. As anyone else: the own user, behind a Landlock
 * that keeps signals in. @throws NoConfinement where neither is possible: a program is never run bare.
 */
export async function claimConfinement(options: ConfinementOptions = {}): Promise<Confinement> {
  const launcher = launcherPath();
  const uid = process.getuid?.();
  const landlock = options.landlock ?? true;
  const { number, lock } = await claimNumber(uid ?? 0);
  try {
    const directory = join(options.base ?? tmpdir(), `tripod-sandbox-${uid}-${number}`);
    await mkdir(directory, { recursive: true, mode: 0o711 });
    await emptyDirectory(directory);
    return {
      launcher,
      directory,
      landlock,
      ...(uid === 0 ? users(FIRST_UID + number * UIDS_EACH) : { claimUid: () => null, releaseUid: () => undefined }),
      async release() {
        await emptyDirectory(directory);
        await closed(lock);
      },
    };
  } catch (error) {
    await closed(lock);
    throw error;
  }
}

function users(first: number): Pick<Confinement, 'claimUid' | 'releaseUid'> {
  const claimed = new Set<number>();
  let next = 0;
  return {
    claimUid() {
      for (let tried = 0; tried < UIDS_EACH; tried += 1) {
        const uid = first + (next++ % UIDS_EACH);
        if (claimed.has(uid)) continue;
        claimed.add(uid);
        return uid;
      }
      throw new NoConfinement(`All ${UIDS_EACH} users of this runner have something left on this machine.`);
    },
    releaseUid: (uid) => void claimed.delete(uid),
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

/** A number that no other runner on this machine has: an abstract socket's name, which the kernel frees when we die. */
async function claimNumber(uid: number): Promise<{ number: number; lock: Server }> {
  for (let number = 0; number < MOST_RUNNERS; number += 1) {
    const lock = createServer();
    const claimed = await new Promise<boolean>((resolve, reject) => {
      lock.once('listening', () => resolve(true));
      lock.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
      );
      lock.listen(`\0tripod-sandbox-${uid}-${number}`);
    });
    if (claimed) return { number, lock: lock.unref() };
  }
  throw new NoConfinement(`${MOST_RUNNERS} runners are at work on this machine already.`);
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
