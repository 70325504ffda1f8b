import { mkdtempSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** A control group of Linux that one run is in: what its processes hold in memory together, the kernel bounds at every moment. */
export interface MemoryGroup {
  /** A process that writes 0 to it becomes a member, with all that it starts. */
  readonly membersFile: string;
  /** Members that the kernel has ended since the group was acquired, because they held too much. */
  kills(): number;
  /** Stops all members for the kernel itself: no signal but SIGKILL resumes them. @returns false where the group cannot do that */
  freeze(isFrozen: boolean): boolean;
  /** Call when no member is left. */
  release(): void;
}

export interface MemoryGroups {
  /** @returns null where the kernel does not give one now. */
  acquire(limitBytes: number): MemoryGroup | null;
  /** Removes all groups; call when no member is left. */
  close(): void;
}

/** Where groups can be made, and what the files of their version of control groups are called. */
export interface GroupParent {
  readonly directory: string;
  readonly version: 1 | 2;
}

/** Written one after the other: swap counts too, and the limit of both may never be below that of memory. */
const LIMITS: Readonly<
  Record<1 | 2, (bytes: number) => readonly (readonly [file: string, value: string, optional?: true])[]>
> = {
  1: (bytes) => [
    ['memory.memsw.limit_in_bytes', '-1', true],
    ['memory.limit_in_bytes', String(bytes)],
    ['memory.memsw.limit_in_bytes', String(bytes), true],
  ],
  2: (bytes) => [
    ['memory.max', String(bytes)],
    ['memory.swap.max', '0', true],
    ['memory.oom.group', '1', true],
  ],
};
const EVENTS = { 1: 'memory.oom_control', 2: 'memory.events' } as const;

/**
 * Groups below this process's own, or siblings of it.
 * @param prefix of their names, unique to this runner on the machine: leftovers of an earlier runner under it are removed.
 * @returns null if this process may create none: most containers, and most users except root.
 */
export function openMemoryGroups(prefix: string): MemoryGroups | null {
  for (const parent of groupParents(read('/proc/self/cgroup'), read('/proc/self/mountinfo'))) {
    if (parent.version === 2 && !passesMemoryOn(parent.directory)) continue;
    removeStale(parent.directory, prefix);
    const groups = new GroupsBelow(parent, prefix);
    const first = groups.acquire(Number.MAX_SAFE_INTEGER);
    if (first === null) continue;
    first.release();
    return groups;
  }
  return null;
}

/**
 * Directories in which groups with a memory limit may be created, the best first. In version 2, a group that has processes delegates no
 * controllers unless it is the root: siblings are possible where children are not.
 * @param membership of `/proc/self/cgroup`,
 * @param mounts of `/proc/self/mountinfo`
 */
export function groupParents(membership: string, mounts: string): readonly GroupParent[] {
  const paths = membership.split('\n').map((line) => {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    return { controllers: controllers.split(','), path };
  });
  const mounted = mounts.split('\n').map((line) => {
    const [place = '', kind = ''] = line.split(' - ');
    const [, , , root = '', at = ''] = place.split(' ');
    const [type = '', , options = ''] = kind.split(' ');
    return { root, at, type, options: options.split(',') };
  });
  const directoryOf = (path: string | undefined, mount: (typeof mounted)[number] | undefined): string[] => {
    if (path === undefined || mount === undefined) return [];
    const below = relative(mount.root, path);
    return below.startsWith('..') ? [] : [join(mount.at, below)];
  };
  const first = directoryOf(
    paths.find(({ controllers }) => controllers.includes('memory'))?.path,
    mounted.find(({ type, options }) => type === 'cgroup' && options.includes('memory')),
  );
  const second = directoryOf(
    paths.find(({ controllers, path }) => controllers.join() === '' && path !== '')?.path,
    mounted.find(({ type }) => type === 'cgroup2'),
  );
  return [
    ...first.map((directory) => ({ directory, version: 1 as const })),
    ...second.flatMap((own) => [own, dirname(own)]).map((directory) => ({ directory, version: 2 as const })),
  ];
}

function passesMemoryOn(directory: string): boolean {
  return read(join(directory, 'cgroup.subtree_control')).trim().split(' ').includes('memory');
}

/** Groups are used again: each one that is removed stays in the kernel for as long as a file that a member read is cached. */
class GroupsBelow implements MemoryGroups {
  readonly #parent: GroupParent;
  readonly #prefix: string;
  readonly #idle: string[] = [];

  constructor(parent: GroupParent, prefix: string) {
    this.#parent = parent;
    this.#prefix = prefix;
  }

  acquire(limitBytes: number): MemoryGroup | null {
    // One that still holds more than the new limit cannot be bounded by it: another can.
    for (let directory = this.#idle.pop(); directory !== undefined; directory = this.#idle.pop()) {
      if (this.#bound(directory, limitBytes)) return this.#group(directory);
      remove(directory);
    }
    const made = this.#make();
    if (made === null) return null;
    if (this.#bound(made, limitBytes)) return this.#group(made);
    remove(made);
    return null;
  }

  close(): void {
    for (const directory of this.#idle.splice(0)) remove(directory);
  }

  #make(): string | null {
    try {
      return mkdtempSync(join(this.#parent.directory, this.#prefix));
    } catch {
      return null;
    }
  }

  #bound(directory: string, limitBytes: number): boolean {
    return LIMITS[this.#parent.version](limitBytes).every(([file, value, optional = false]) => {
      return writes(join(directory, file), value) || optional;
    });
  }

  #group(directory: string): MemoryGroup {
    const eventsFile = join(directory, EVENTS[this.#parent.version]);
    const killsBefore = killsIn(eventsFile);
    return {
      membersFile: join(directory, 'cgroup.procs'),
      kills: () => killsIn(eventsFile) - killsBefore,
      freeze: (isFrozen) => writes(join(directory, 'cgroup.freeze'), isFrozen ? '1' : '0'),
      release: () => {
        writes(join(directory, 'cgroup.freeze'), '0');
        this.#idle.push(directory);
      },
    };
  }
}

function killsIn(eventsFile: string): number {
  return Number(/^oom_kill (\d+)$/m.exec(read(eventsFile))?.[1] ?? 0);
}

function removeStale(parent: string, prefix: string): void {
  for (const name of names(parent)) if (name.startsWith(prefix)) remove(join(parent, name));
}

/** @returns false where the kernel has no such file, or refuses it */
function writes(file: string, value: string): boolean {
  try {
    writeFileSync(file, value, { flag: 'r+' });
    return true;
  } catch {
    return false;
  }
}

/** A group with members stays; it does no harm. */
function remove(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {}
}

function names(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Empty where there is no such file. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
