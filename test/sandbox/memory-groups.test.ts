import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { launch } from '../../sandbox/runner/launch.ts';
import type { MemoryGroup, MemoryGroups } from '../../sandbox/runner/memory-groups.ts';
import { RunDirectory } from '../../sandbox/runner/run-directory.ts';
import { testedConfinement } from './tested-confinement.ts';

const confinement = testedConfinement();
const MB = 1024 * 1024;
const resources = { cpu: 1, memoryMb: 64, diskMb: 16 };

/** Shared pages count for no limit of a process, and these exist before any sample. */
const GREEDY = `
import mmap
pages = mmap.mmap(-1, ${1024 * MB})
for at in range(0, ${1024 * MB}, 4096): pages[at] = 1
print('had it all')
`;

/** Leaves the limit to the kernel. */
const GREEDY_CHILD = `
import os, sys
if os.fork() == 0:
    exec(${JSON.stringify(GREEDY)})
    os._exit(0)
os.wait()
print('went on')
`;

it.each([
  ['a program', GREEDY],
  ['a child of a program', GREEDY_CHILD],
])('memory that %s takes between two counts is bounded by the kernel', async (_, code) => {
  const { memoryGroups } = confinement();
  if (memoryGroups === null) return expectNoneToBeHad();
  const acquired: MemoryGroup[] = [];
  const limits: number[] = [];
  const recording: MemoryGroups = {
    acquire(limitBytes) {
      const group = memoryGroups.acquire(limitBytes);
      limits.push(limitBytes);
      if (group !== null) acquired.push(group);
      return group;
    },
    close: () => memoryGroups.close(),
  };
  const directory = await RunDirectory.make(confinement(), { 'greedy.py': code });
  try {
    const { stdout, stderr, exitCode, ended } = await launch({
      confinement: { ...confinement(), memoryGroups: recording },
      directory,
      command: ['/usr/bin/env', 'python3', 'greedy.py'],
      readable: [],
      environment: { PATH: '/usr/local/bin:/usr/bin:/bin' },
      resources,
      reservedMb: 2048,
      stdin: '',
      timeoutMs: 60_000,
    });
    expect({ stdout, stderr, exitCode, ended }).toEqual({
      stdout: '',
      stderr: 'Killed: out of memory, more than 64 MB were in use\n',
      exitCode: 137,
      ended: 'limit',
    });
    expect(peakOf(acquired[0]!)).toBeLessThanOrEqual(limits[0]!);
    expect(limits[0]).toBeLessThanOrEqual(256 * MB);
  } finally {
    await directory.remove();
  }
});

it('groups are reused: there are as many as concurrent runs', async () => {
  const { memoryGroups } = confinement();
  if (memoryGroups === null) return expectNoneToBeHad();
  const [first, second] = [memoryGroups.acquire(100 * MB)!, memoryGroups.acquire(100 * MB)!];
  expect(second.membersFile).not.toBe(first.membersFile);
  first.release();
  expect(memoryGroups.acquire(200 * MB)!.membersFile).toBe(first.membersFile);
  second.release();
});

/** Where the machine gives none, this says so rather than passing for another reason. */
function expectNoneToBeHad(): void {
  expect(process.getuid?.() === 0 && isWritable()).toBe(false);
}

function isWritable(): boolean {
  return /^\d+ \d+ \S+ \S+ \S+ rw\b.* - cgroup \S+ \S*\bmemory\b/m.test(readFileSync('/proc/self/mountinfo', 'utf8'));
}

function peakOf({ membersFile }: MemoryGroup): number {
  const directory = dirname(membersFile);
  const file = ['memory.max_usage_in_bytes', 'memory.peak'].find((name) => readdirSync(directory).includes(name));
  return file === undefined ? 0 : Number(readFileSync(join(directory, file), 'utf8'));
}
