import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';

export interface ProcessUsage {
  readonly processes: number;
  /** Upper bound: a page that several processes share counts for each of them. */
  readonly maxResidentBytes: number;
  /** Of all threads since the run began, except processes that were never waited for. */
  readonly cpuSeconds: number;
  /** Processes that run or wait for a processor. */
  readonly runnable: number;
}

/** Resources in use by the processes below a launcher. */
export function processUsage(launcherPid: number): ProcessUsage {
  const stats = descendants(String(launcherPid)).map((pid) => ({ pid, ...statOf(pid) }));
  return {
    processes: stats.length,
    maxResidentBytes: stats.reduce((sum, { pid }) => sum + residentBytesOf(pid), 0),
    // The launcher is the subreaper: it has the time of what has ended.
    cpuSeconds: stats.reduce((sum, { own, ofEnded }) => sum + own + ofEnded, statOf(String(launcherPid)).ofEnded),
    runnable: stats.filter(({ state }) => state === 'R').length,
  };
}

/** Threads of a user, for RLIMIT_NPROC, which counts them all. */
export function threadsOfUser(uid: number): number {
  return pidsOf(uid).reduce((sum, pid) => {
    const status = read(`/proc/${pid}/status`);
    return sum + Number(/^Threads:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  }, 0);
}

function pidsOf(uid: number): string[] {
  return allPids().filter((pid) => {
    try {
      return statSync(`/proc/${pid}`).uid === uid;
    } catch {
      return false;
    }
  });
}

/**
 * The launcher adopts what its descendants leave behind: none gets out of its tree. Whose a process is tells less: one
 * whose program file cannot be read seems to be root's.
 */
function descendants(root: string): string[] {
  const childrenOf = existsSync(`/proc/${root}/task/${root}/children`) ? listedChildren : childrenByParent();
  const found: string[] = [];
  const waiting = [root];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    const own = childrenOf(pid);
    found.push(...own);
    waiting.push(...own);
  }
  return found;
}

/** As the kernel lists them, for each thread that has started some. */
function listedChildren(pid: string): string[] {
  return listed(`/proc/${pid}/task`).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean),
  );
}

/** On a kernel that does not list them. */
function childrenByParent(): (pid: string) => readonly string[] {
  const children = new Map<string, string[]>();
  for (const pid of allPids()) {
    const { parent } = statOf(pid);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  return (pid) => children.get(pid) ?? [];
}

function allPids(): string[] {
  return listed('/proc').filter((name) => /^\d+$/.test(name));
}

function listed(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Of /proc/<pid>/stat; seconds of processor time in user and kernel together. */
function statOf(pid: string): { state: string; parent: string; own: number; ofEnded: number } {
  const text = read(`/proc/${pid}/stat`);
  // The name of the program comes before, in brackets, and may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = (first: number) => (Number(fields[first] ?? 0) + Number(fields[first + 1] ?? 0)) / TICKS_A_SECOND;
  return { state: fields[0] ?? '', parent: fields[1] ?? '', own: ticks(11), ofEnded: ticks(13) };
}

const TICKS_A_SECOND = 100;

/** Pages of its own and of shared memory that it makes; those of program files are shared by all. */
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
