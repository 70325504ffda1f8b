/** Attempts of hostile programs, by name. */
export type Attempts = Readonly<Record<string, string>>;

/** Calls the kernel by number, since languages do not name all calls. */
export const SYSCALL = `import ctypes, platform
x64 = platform.machine() == "x86_64"
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments])
    if result == -1: raise OSError(ctypes.get_errno(), "refused")
    return result
`;

/** Python statements that must raise: ways to the kernel, to other processes and to the machine that few programs know. */
export const kernelAttempts: Attempts = {
  'a descriptor of the parent': `${SYSCALL}import os; call(438, os.pidfd_open(os.getppid()), 1, 0)`,
  'advice on the memory of the parent': `${SYSCALL}import os; call(440, os.pidfd_open(os.getppid()), b"", 0, 4, 0)`,
  'comparing itself with the parent': `${SYSCALL}import os; call(312 if x64 else 272, os.getpid(), os.getppid(), 0, 0, 0)`,
  'memory that the kernel hides': `${SYSCALL}call(447, 0)`,
  'sealed memory with huge pages': `${SYSCALL}call(319 if x64 else 279, b"x", 0x6)`,
  'huge pages of the machine':
    'import mmap; mmap.mmap(-1, 1 << 21, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40000)',
  'the page cache of others': `${SYSCALL}import os; call(451, os.open("/usr/bin/env", os.O_RDONLY), bytes(16), ctypes.create_string_buffer(64), 0)`,
  'quotas of the disk': `${SYSCALL}call(179 if x64 else 60, 0x80000700, b"/dev/vda", 0, ctypes.create_string_buffer(128))`,
  'accounting of all processes': `${SYSCALL}call(163 if x64 else 89, b"own")`,
  'the speed of the clock': `${SYSCALL}call(159 if x64 else 171, ctypes.create_string_buffer(b"\\x01" + bytes(207)))`,
  'real-time priority': 'import os; os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))',
  'a deadline of the scheduler': `${SYSCALL}import struct; call(314 if x64 else 274, 0, struct.pack("IIQiIQQQ", 48, 6, 0, 0, 0, 10**6, 10**7, 10**7), 0)`,
  'priority of its input and output': `${SYSCALL}call(251 if x64 else 30, 1, 0, 1 << 13)`,
  'addresses that are not random': `${SYSCALL}call(135 if x64 else 92, 0x0040000)`,
  'where its memory lies': `${SYSCALL}call(238 if x64 else 237, 2, __import__("struct").pack("Q", 1), 64)`,
  'a semaphore of the machine': `${SYSCALL}call(64 if x64 else 190, 0x7171, 1, 0o1666)`,
  'a mount that is detached': `${SYSCALL}call(428, -100, b"/", 1)`,
  'attributes of a mount': `${SYSCALL}call(442, -100, b"/", 0, bytes(32), 32)`,
  'modules of security': `${SYSCALL}call(460, 100, bytes(32), 32, 0)`,
  'an abstract name that another run could know': 'import socket; socket.socketpair()[0].bind("\\0tripod-meeting")',
  'a peer by its abstract name': 'import socket; a, b = socket.socketpair(); b.close(); a.connect("\\0tripod-meeting")',
  'listening on one of a pair': 'import socket; socket.socketpair()[0].listen()',
  'a descriptor for another process':
    'import array, os, socket; socket.socketpair()[0].sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0]))])',
  'sockets of rare families': `import socket
for family in (15, 21, 29, 30, 31, 41, 43, 44):
    try: socket.socket(family, socket.SOCK_RAW if family == 15 else socket.SOCK_DGRAM)
    except OSError as error: last = error
    else: break
else: raise last`,
  'another control group': 'open("/sys/fs/cgroup/cgroup.procs", "wb", 0).write(b"0")',
  'a map of users': 'open("/proc/self/uid_map", "wb", 0).write(b"0 0 1")',
  'to be spared when memory is short': 'open("/proc/self/oom_score_adj", "wb", 0).write(b"-1000")',
  'settings of modules': 'open("/sys/module/kernel/parameters/panic", "wb", 0).write(b"1")',
};

/** A machine without Landlock opens its devices to all users, unless a private file system hides them. */
export const deviceAttempts: Attempts = {
  'devices that make machines, networks and file systems': `import os
for name in ("kvm", "net/tun", "fuse", "vhost-net", "vhost-vsock", "loop-control", "userfaultfd", "vfio/vfio", "uinput"):
    try: os.open("/dev/" + name, os.O_RDWR)
    except OSError as error: last = error
    else: break
else: raise last`,
};
