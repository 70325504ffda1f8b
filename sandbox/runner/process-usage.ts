import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';

/** Resources in use by the processes of a run, as far as they can be read without delay. */
export interface ProcessUsage {
  readonly processes: number;
  /** Upper bound of the mapped memory: a page that several processes share counts for each of them. */
  readonly maxMappedBytes: number;
  /** Of all threads since the run started, except processes that were never waited for. */
  readonly cpuSeconds: number;
  /** Pages that were touched for the first time since the run started, again after they were given back. */
  readonly pageFaults: number;
  /** Upper bound of the descriptors that are open. */
  readonly descriptors: number;
  /** Processes that run or wait for a processor. */
  readonly runnable: number;
  /** Processes that are neither halted nor ended. */
  readonly awake: number;
}

export function processUsage(launcherPid: number): ProcessUsage {
  const launcher = statOf(String(launcherPid));
  const all = descendants(String(launcherPid)).map((pid) => ({ ...statOf(pid), ...statusOf(pid) }));
  const sum = (of: (usage: (typeof all)[number]) => number) => all.reduce((total, usage) => total + of(usage), 0);
  return {
    processes: all.length,
    maxMappedBytes: sum(({ mappedBytes }) => mappedBytes),
    // The launcher is the subreaper: it has the time of what has ended.
    cpuSeconds: launcher.cpuOfEnded + sum(({ cpu, cpuOfEnded }) => cpu + cpuOfEnded),
    pageFaults: launcher.faultsOfEnded + sum(({ faults, faultsOfEnded }) => faults + faultsOfEnded),
    descriptors: sum(({ descriptors }) => descriptors),
    runnable: all.filter(({ state }) => state === 'R').length,
    awake: all.filter(({ state }) => !'TtZX'.includes(state)).length,
  };
}

/** Pages that processes of this machine share, files in memory included. */
export function sharedMemoryOfMachine(): number {
  return numberAfter(read('/proc/meminfo'), 'Shmem') * 1024;
}

/** Threads of a user, for RLIMIT_NPROC, which counts them all. */
export function threadsOfUser(uid: number): number {
  return pidsOf(uid).reduce((sum, pid) => sum + numberAfter(read(`/proc/${pid}/status`), 'Threads'), 0);
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
 * The launcher adopts orphaned descendants, so that none leaves its tree. The owner of a process is less reliable: one whose program file
 * is unreadable appears to be root's.
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

const TICKS_A_SECOND = 100;

/** Of /proc/<pid>/stat; seconds of processor time in user and kernel together. */
function statOf(pid: string) {
  const text = read(`/proc/${pid}/stat`);
  // The name of the program comes before, in brackets, and may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const number = (field: number) => Number(fields[field] ?? 0);
  return {
    state: fields[0] ?? '',
    parent: fields[1] ?? '',
    faults: number(7) + number(9),
    faultsOfEnded: number(8) + number(10),
    cpu: (number(11) + number(12)) / TICKS_A_SECOND,
    cpuOfEnded: (number(13) + number(14)) / TICKS_A_SECOND,
  };
}

/** Private pages, shared memory and page tables; pages of program files are shared by all. */
function statusOf(pid: string): { mappedBytes: number; descriptors: number } {
  const status = statusWithMemory(pid);
  const kib = (field: string) => numberAfter(status, field);
  return {
    mappedBytes:
      ['RssAnon', 'RssShmem', 'VmSwap', 'VmPTE', 'HugetlbPages'].reduce((sum, each) => sum + kib(each), 0) * 1024,
    descriptors: numberAfter(status, 'FDSize'),
  };
}

/** Where the first thread of a process has ended, and with it all that it shows, that of another one. */
function statusWithMemory(pid: string): string {
  const shows = (text: string) => text.includes('\nRssAnon:');
  const status = read(`/proc/${pid}/status`);
  if (shows(status)) return status;
  return (
    listed(`/proc/${pid}/task`)
      .map((thread) => read(`/proc/${thread}/status`))
      .find(shows) ?? status
  );
}

function numberAfter(text: string, field: string): number {
  const at = text.indexOf(`\n${field}:`);
  return at === -1 ? 0 : Number.parseInt(text.slice(at + field.length + 2, at + field.length + 30), 10) || 0;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
