import { readdirSync, readFileSync, statSync } from 'node:fs';

export interface ProcessUsage {
  readonly processes: number;
  /** A page that several processes share counts for each of them: never less than what is in use. */
  readonly mostResidentBytes: number;
  /** Of all threads since the run began, but for processes whose parents do not care for their end. */
  readonly cpuSeconds: number;
  /** Processes that run or would like to. */
  readonly runnable: number;
}

/** A run: its launcher, and the user that is its own, if it has one. */
export interface RunProcesses {
  readonly launcherPid: number;
  readonly uid: number | null;
}

/** What the processes of a run hold at this moment. */
export function processUsage({ launcherPid, uid }: RunProcesses): ProcessUsage {
  const stats = (uid === null ? descendants(launcherPid) : pidsOfUser(uid)).map((pid) => ({ pid, ...statOf(pid) }));
  return {
    processes: stats.length,
    mostResidentBytes: stats.reduce((sum, { pid }) => sum + residentBytesOf(pid), 0),
    // The launcher adopts and waits for whatever is left alone, and so has the time of what has ended.
    cpuSeconds: stats.reduce((sum, { own, ofEnded }) => sum + own + ofEnded, statOf(String(launcherPid)).ofEnded),
    runnable: stats.filter(({ state }) => state === 'R').length,
  };
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
  const children = new Map<number, string[]>();
  for (const pid of allPids()) {
    const { parent } = statOf(pid);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found: string[] = [];
  const waiting = [String(root)];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    const own = children.get(Number(pid)) ?? [];
    found.push(...own);
    waiting.push(...own);
  }
  return found;
}

function allPids(): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
}

/** Of /proc/<pid>/stat; seconds of processor time in user and kernel together. */
function statOf(pid: string): { state: string; parent: number; own: number; ofEnded: number } {
  const text = read(`/proc/${pid}/stat`);
  // The name of the program comes before, in brackets, and may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = (first: number) => (Number(fields[first] ?? 0) + Number(fields[first + 1] ?? 0)) / TICKS_A_SECOND;
  return { state: fields[0] ?? '', parent: Number(fields[1] ?? 0), own: ticks(11), ofEnded: ticks(13) };
}

const TICKS_A_SECOND = 100;

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
