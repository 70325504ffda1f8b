import type { Resources, RunLimit } from '../../functions/sandbox/domain/run.ts';

const KIB = 1024;
const MB = 1024 * 1024;
export const MAX_FILES = 10_000;

/** Maximum unread data in a socket and in a pipe on Linux: `net.core.wmem_default`, and 16 pages. */
export const SOCKET_BYTES = 212_992;
const PIPE_BYTES = 65_536;
/** As honest programs have them: they are not counted. */
const FREE_SOCKETS = 32;
const FREE_PIPES = 64;
const MAX_TERMINALS = 8;

/** The launcher's count of what the processes of a run hold together. */
export interface HeldResources {
  readonly privateBytes: number;
  readonly mappedSharedBytes: number;
  /** Upper bound of shared memory, mapped or not. */
  readonly sharedBytes: number;
  readonly sockets: number;
  readonly pipes: number;
  /** Removed files that are still open or mapped are on disk too. */
  readonly diskBytes: number;
  readonly files: number;
  /** Removed files that are held in a way that hides their size; `diskBytes` contains their minimum. */
  readonly unsized: number;
  /** Pseudo-terminals: the machine has 4,096 for all. */
  readonly terminals: number;
}

/** Upper bounds reported by the machine in addition to the launcher's. */
export interface Surroundings {
  /** Memory that the run has touched. */
  readonly touchedBytes: number;
  /** By which the memory that processes share has grown on the whole machine since the run started. */
  readonly sharedGrowthBytes: number;
  /** By which the free space of the run's file system has shrunk. */
  readonly spaceGoneBytes: number;
}

/** Reads a line of the launcher, `S` and nine numbers. */
export function parseHeldResources(line: string): HeldResources {
  const [, privateKib = 0, mappedKib = 0, sharedKib = 0, sockets = 0, pipes = 0, ...ofFiles] = line
    .split(' ')
    .map(Number);
  const [diskKib = 0, files = 0, unsized = 0, terminals = 0] = ofFiles;
  return {
    privateBytes: privateKib * KIB,
    mappedSharedBytes: mappedKib * KIB,
    sharedBytes: sharedKib * KIB,
    sockets,
    pipes,
    diskBytes: diskKib * KIB,
    files,
    unsized,
    terminals,
  };
}

/** A limit that is exceeded. */
export interface Excess {
  readonly limit: Exclude<RunLimit, 'time'> | null;
  /** For the user. */
  readonly words: string;
}

/** @returns null when none is exceeded */
export function excessOf(
  held: HeldResources,
  { touchedBytes, sharedGrowthBytes, spaceGoneBytes }: Surroundings,
  limits: Resources,
): Excess | null {
  // Of shared memory only the currently mapped part is visible, and the same holds for removed files.
  const unseenShared = held.sharedBytes > 0 ? sharedGrowthBytes : 0;
  const shared = Math.max(held.mappedSharedBytes, Math.min(Math.max(held.sharedBytes, unseenShared), touchedBytes));
  const unseenDisk = Math.min(held.unsized * limits.diskMb * MB, spaceGoneBytes - held.diskBytes);
  const buffers =
    Math.max(0, held.sockets - FREE_SOCKETS) * SOCKET_BYTES + Math.max(0, held.pipes - FREE_PIPES) * PIPE_BYTES;
  if (held.privateBytes + shared + buffers > limits.memoryMb * MB) return outOfMemory(limits);
  if (held.diskBytes + Math.max(0, unseenDisk) > limits.diskMb * MB) return outOfDisk(limits);
  if (held.files > MAX_FILES) return tooManyFiles();
  if (held.terminals > MAX_TERMINALS) return { limit: null, words: `more than ${MAX_TERMINALS} terminals were opened` };
  return null;
}

export function outOfDisk({ diskMb }: Resources): Excess {
  return { limit: 'disk', words: `out of disk space, more than ${diskMb} MB were written` };
}

export const tooManyFiles = (): Excess => ({ limit: 'files', words: `more than ${MAX_FILES} files were made` });

export function outOfMemory({ memoryMb }: Resources): Excess {
  return { limit: 'memory', words: `out of memory, more than ${memoryMb} MB were in use` };
}
