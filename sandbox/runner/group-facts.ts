import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MemoryGroup } from './memory-groups.ts';

/** Limits of control groups that libraries such as DuckDB read, and fail if they exist but may not be read. */
const LIMITS = {
  cpu: ['cpu.cfs_quota_us', 'cpu.cfs_period_us'],
  memory: ['memory.limit_in_bytes'],
  both: ['cpu.max', 'memory.max'],
} as const;
const ROOT = '/sys/fs/cgroup';

let ofRunner: readonly string[] | undefined;

/** The files with the limits of a program's own groups: those of its runner and, if it has one, its memory group. Others may not exist. */
export function groupFacts(memoryGroup: MemoryGroup | null): readonly string[] {
  ofRunner ??= filesOf(membership());
  const own = memoryGroup === null ? [] : [...LIMITS.memory, ...LIMITS.both];
  return [...ofRunner, ...own.map((name) => join(dirname(memoryGroup!.membersFile), name))];
}

function membership(): string {
  try {
    return readFileSync('/proc/self/cgroup', 'utf8');
  } catch {
    return '';
  }
}

/** @param membership lines of /proc/self/cgroup, `number:controllers:path`; version 2 names no controllers */
export function filesOf(membership: string): readonly string[] {
  return membership.split('\n').flatMap((line) => {
    const [, controllers, ...rest] = line.split(':');
    const path = rest.join(':');
    if (controllers === undefined || !path.startsWith('/')) return [];
    if (controllers === '') return LIMITS.both.map((name) => join(ROOT, path, name));
    const named = (['cpu', 'memory'] as const).filter((name) => controllers.split(',').includes(name));
    // A container sees its group as the root of the mount, though it is a member by the machine's path.
    return named.flatMap((name) =>
      ['/', path].flatMap((place) => LIMITS[name].map((file) => join(ROOT, name, place, file))),
    );
  });
}
