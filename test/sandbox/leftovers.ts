import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
    entries(place)
      .map((name) => Buffer.concat([Buffer.from(`${place}/`), name]))
      .filter((path) => isOfARun(uidOf(path)))
      .map((path) => path.toString('latin1')),
  );
  return {
    processes: processes.map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`)}`),
    files,
    descriptors: listed(`/proc/${runnerPid}/fd`).length,
  };
}

function uidOf(path: string | Buffer): number {
  try {
    return lstatSync(path).uid;
  } catch {
    return -1;
  }
}

/** As bytes: a name need not be text. */
function entries(path: string): Buffer[] {
  try {
    return readdirSync(path, { encoding: 'buffer' });
  } catch {
    return [];
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
