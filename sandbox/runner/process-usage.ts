import { readdirSync, readFileSync, statSync } from 'node:fs';

export interface ProcessUsage {
  readonly processes: number;
  readonly residentBytes: number;
}

/** Which processes belong to a run: all of its user, or all of its process group. */
export type RunProcesses = { readonly uid: number } | { readonly launcherPid: number };

/** What the processes of a run hold at this moment. */
export function processUsage(run: RunProcesses): ProcessUsage {
  const pids = 'uid' in run ? pidsOfUser(run.uid) : descendants(run.launcherPid);
  let residentBytes = 0;
  for (const pid of pids) residentBytes += residentBytesOf(pid);
  return { processes: pids.length, residentBytes };
}

/** Threads of this process's user, for a limit that counts them all. */
export function threadsOfUser(uid: number): number {
  return pidsOfUser(uid).reduce((sum, pid) => {
    const status = read(`/proc/${pid}/status`);
    return sum + Number(/^Threads:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  }, 0);
}

function pidsOfUser(uid: number): string[] {
  return allPids().filter((pid) => {
    try {
      return statSync(`/proc/${pid}`).uid === uid;
    } catch {
      return false;
    }
  });
}

/** The launcher adopts what its descendants leave behind: none gets out of its tree. */
function descendants(root: number): string[] {
  const children = new Map<string, string[]>();
  for (const pid of allPids()) {
    const parent = /\) \S (\d+) /.exec(read(`/proc/${pid}/stat`))?.[1];
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found: string[] = [];
  const waiting = [String(root)];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    const own = children.get(pid) ?? [];
    found.push(...own);
    waiting.push(...own);
  }
  return found;
}

function allPids(): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
}

/** Pages of its own and of shared memory that it makes; those of program files are everybody's. */
function residentBytesOf(pid: string): number {
  const status = read(`/proc/${pid}/status`);
  const kib = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  return (kib('RssAnon') + kib('RssShmem')) * 1024;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
