import { expect, it } from 'vitest';
import { groupParents } from '../../../sandbox/runner/memory-groups.ts';

const V2_MOUNT = '30 23 0:26 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate';

it('finds the own group among those of version 1, where each controller has a separate tree', () => {
  const membership = '12:cpu,cpuacct:/jobs\n4:memory:/jobs/7\n1:name=systemd:/\n';
  const mounts = [
    '32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct',
    '35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory',
  ].join('\n');
  expect(groupParents(membership, mounts)).toEqual([{ directory: '/sys/fs/cgroup/memory/jobs/7', version: 1 }]);
});

it('of version 2, takes the own group and the one above it, which can have children with a limit', () => {
  expect(groupParents('0::/user.slice/user-0.slice/session-3.scope\n', V2_MOUNT)).toEqual([
    { directory: '/sys/fs/cgroup/user.slice/user-0.slice/session-3.scope', version: 2 },
    { directory: '/sys/fs/cgroup/user.slice/user-0.slice', version: 2 },
  ]);
});

it('takes a part of the tree that is mounted in a container for what it is', () => {
  const mounts = '900 850 0:30 /docker/c0ffee /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory';
  expect(groupParents('4:memory:/docker/c0ffee/inner\n', mounts)).toEqual([
    { directory: '/sys/fs/cgroup/memory/inner', version: 1 },
  ]);
});

it('finds none that is not mounted here, and none where there are no control groups', () => {
  expect(groupParents('4:memory:/elsewhere\n', '900 850 0:30 /docker/c0ffee /m rw - cgroup cgroup rw,memory')).toEqual(
    [],
  );
  expect(groupParents('0::/jobs\n', '')).toEqual([]);
  expect(groupParents('', '')).toEqual([]);
});
