import { readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunnerProcess } from './runner-process.ts';

const PUBLIC = ['/tmp', '/var/tmp', '/dev/shm', '/dev/mqueue'];

/** Processes and files of a runner's runs that are still there, and what it still has open. */
export function leftovers({ pid: runnerPid, isOfARun }: Pick<RunnerProcess, 'pid' | 'isOfARun'>): {
  processes: string[];
  files: string[];
  descriptors: number;
} {
  const processes = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && isOfARun(uidOf(`/proc/${pid}`)));
  const files = [...new Set([...PUBLIC, tmpdir()])].flatMap((place) =>
    listed(place)
      .map((name) => join(place, name))
      .filter((path) => isOfARun(uidOf(path))),
  );
  return {
    processes: processes.map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`)}`),
    files,
    descriptors: listed(`/proc/${runnerPid}/fd`).length,
  };
}

function uidOf(path: string): number {
  try {
    return statSync(path).uid;
  } catch {
    return -1;
  }
}

function listed(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
