#!/bin/sh
# Runs tests on a kernel of their own, with control groups of version 2 alone and without Landlock: Linux as a process of this machine,
# whose files it cannot write.
# An optional check:
#     apt-get install user-mode-linux
#     test/sandbox/user-mode-linux.sh test/sandbox/memory-groups.test.ts test/sandbox/hostile/kernel-without-landlock.test.ts
# Ends with 1 unless the tests pass. On one processor, and slowly: tests that count seconds of a processor may fail for that alone.
if [ $$ -ne 1 ]; then
  cd "$(dirname "$0")/../.." || exit 1
  log=$(mktemp)
  linux.uml mem="${MEMORY:-3000M}" rootfstype=hostfs rootflags=/ ro "init=$PWD/test/sandbox/user-mode-linux.sh" con=null con0=fd:0,fd:1 quiet \
    "REPOSITORY=$PWD" "TESTS=$(echo "$*" | tr ' ' ',')" </dev/null | tee "$log"
  grep -q 'TESTS PASSED' "$log"
  status=$?
  rm "$log"
  exit $status
fi

# From here on as the first process of that kernel.
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t tmpfs tmpfs /tmp
mount -t devtmpfs devtmpfs /dev 2>/dev/null
mkdir -p /dev/shm && mount -t tmpfs tmpfs /dev/shm
mount -t cgroup2 cgroup2 /sys/fs/cgroup && echo +memory >/sys/fs/cgroup/cgroup.subtree_control
# As distributions have it.
echo 1 >/proc/sys/kernel/dmesg_restrict
ip link set lo up
export PATH="$REPOSITORY/node_modules/.bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin" HOME=/tmp NO_COLOR=1 NODE_COMPILE_CACHE=/tmp/compiled
cd "$REPOSITORY" || exit 1
echo "Linux $(uname -r), control groups $(cat /sys/fs/cgroup/cgroup.subtree_control)"
# shellcheck disable=SC2046
vitest run --reporter=verbose --configLoader native $(echo "$TESTS" | tr ',' ' ') && echo 'TESTS PASSED'
poweroff -f
