import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Resources that a service holds at one moment, child processes included. */
export interface Footprint {
  readonly memoryMb: number;
  readonly descriptors: number;
  readonly processes: number;
  readonly temporaryFiles: number;
  readonly dataMb: number;
}

/** @param pid of the service. Linux alone: reads /proc. */
export async function footprint(
  pid: number,
  directories: { readonly data: string; readonly temporary: string },
): Promise<Footprint> {
  const pids = treeOf(pid);
  const [data, temporary] = await Promise.all([filesBelow(directories.data), filesBelow(directories.temporary)]);
  return {
    memoryMb: sum(pids.map(proportionalKb)) / 1024,
    descriptors: sum(pids.map((one) => entries(`/proc/${one}/fd`).length)),
    processes: pids.length,
    temporaryFiles: temporary.length,
    dataMb: sum(data) / 2 ** 20,
  };
}

/** A process and everything that it started, as far as it is still there. */
function treeOf(root: number): number[] {
  const parents = new Map(
    entries('/proc')
      .filter(isNumber)
      .map((name) => [Number(name), parentOf(name)]),
  );
  const tree = [root];
  // Grows while it is walked.
  for (const parent of tree) for (const [pid, above] of parents) if (above === parent) tree.push(pid);
  return tree;
}

/** The fourth field of /proc/<pid>/stat; the second is a name in brackets that may hold anything. */
function parentOf(pid: string): number {
  const stat = text(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** Memory of a process, with its share of what it has in common with others. */
function proportionalKb(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(text(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);
}

/** @returns the bytes of each file. */
async function filesBelow(folder: string): Promise<number[]> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry: Dirent) =>
    entry.isFile(),
  );
  // A file may be gone by now.
  return Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name)).catch(() => null))?.size ?? 0),
  );
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function text(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const isNumber = (name: string): boolean => /^\d+$/.test(name);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
