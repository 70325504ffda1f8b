import { statfsSync, statSync } from 'node:fs';

export interface DiskSpace {
  readonly bytes: number;
  readonly files: number;
}

const NOTHING: DiskSpace = { bytes: 0, files: 0 };

/** Free space of the file systems that hold these directories, each counted once; a file system that cannot be queried counts as zero. */
export function freeSpace(directories: readonly string[]): DiskSpace {
  const byDevice = new Map(directories.map((directory) => [deviceOf(directory), directory]));
  return [...byDevice.values()].map(freeIn).reduce(sum, NOTHING);
}

export function difference(a: DiskSpace, b: DiskSpace): DiskSpace {
  return { bytes: a.bytes - b.bytes, files: a.files - b.files };
}

/** Space in use on the file system of a directory. */
export function usedSpace(directory: string): DiskSpace {
  try {
    const { blocks, bfree, bsize, files, ffree } = statfsSync(directory);
    return { bytes: (blocks - bfree) * bsize, files: files - ffree };
  } catch {
    return NOTHING;
  }
}

function sum(a: DiskSpace, b: DiskSpace): DiskSpace {
  return { bytes: a.bytes + b.bytes, files: a.files + b.files };
}

function freeIn(directory: string): DiskSpace {
  try {
    const { bfree, bsize, ffree } = statfsSync(directory);
    return { bytes: bfree * bsize, files: ffree };
  } catch {
    return NOTHING;
  }
}

function deviceOf(directory: string): number {
  try {
    return statSync(directory).dev;
  } catch {
    return -1;
  }
}
