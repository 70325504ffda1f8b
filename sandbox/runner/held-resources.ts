import type { Resources } from '../../functions/sandbox/domain/run.ts';

const KIB = 1024;
const MB = 1024 * 1024;
export const MAX_FILES = 10_000;

/** What Linux lets wait in a socket and in a pipe when nothing reads: `net.core.wmem_default`, and 16 pages. */
export const SOCKET_BYTES = 212_992;
const PIPE_BYTES = 65_536;
/** As honest programs have them: they are not counted. */
const FREE_SOCKETS = 32;
const FREE_PIPES = 64;

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
}

/** Reads a line of the launcher, `S` and seven numbers. */
export function parseHeldResources(line: string): HeldResources {
  const [, ...numbers] = line.split(' ').map(Number);
  const [privateKib = 0, mappedKib = 0, sharedKib = 0, sockets = 0, pipes = 0, diskKib = 0, files = 0] = numbers;
  return {
    privateBytes: privateKib * KIB,
    mappedSharedBytes: mappedKib * KIB,
    sharedBytes: sharedKib * KIB,
    sockets,
    pipes,
    diskBytes: diskKib * KIB,
    files,
  };
}

/** @param touchedBytes no more than that can be in memory. @returns the limit that is exceeded, in words for the user, or null */
export function excessOf(held: HeldResources, touchedBytes: number, limits: Resources): string | null {
  const shared = Math.max(held.mappedSharedBytes, Math.min(held.sharedBytes, touchedBytes));
  const buffers =
    Math.max(0, held.sockets - FREE_SOCKETS) * SOCKET_BYTES + Math.max(0, held.pipes - FREE_PIPES) * PIPE_BYTES;
  if (held.privateBytes + shared + buffers > limits.memoryMb * MB) return outOfMemory(limits);
  if (held.diskBytes > limits.diskMb * MB) return `out of disk space, more than ${limits.diskMb} MB were written`;
  if (held.files > MAX_FILES) return `more than ${MAX_FILES} files were made`;
  return null;
}

export function outOfMemory({ memoryMb }: Resources): string {
  return `out of memory, more than ${memoryMb} MB were in use`;
}
