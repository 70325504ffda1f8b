import { getPriority } from 'node:os';
import { expect } from 'vitest';
import type { EdgeSnippet } from '../edge/edge-snippet.ts';

const MB = 1024 * 1024;

const finished = (rest: object) => ({ kind: 'finished', ...rest });
/** Ten below what runs the tests. From those without CAP_SYS_ADMIN the kernel takes one change of a session in 100 ms, on the whole machine. */
const priority = new RegExp(`^${Math.min(19, getPriority() + 10)} [05]\n$`);
const printed = (stdout: string) => finished({ stdout, stderr: '', exitCode: 0 });

/** Programs that attack the runner by what it reads of them. It must answer as if they were honest. */
const parsing: Readonly<Record<string, EdgeSnippet>> = {
  'a first line of Python that nearly names an encoding': {
    language: 'python',
    code: `x = "${'coding'.repeat(MB / 8)}"\nprint("alive")`,
    gives: printed('alive\n'),
  },
  'two long lines of Python': {
    language: 'python',
    code: `#${'a'.repeat(MB / 3)}\n#${'b'.repeat(MB / 3)}\nprint("alive")`,
    gives: printed('alive\n'),
  },
  'a long program of Ruby that nearly has data': {
    language: 'ruby',
    code: `${'\n__END_'.repeat(MB / 16)}_ = 1\nputs "alive"`.replaceAll('\n__END_\n', '\n__END_ = 1\n'),
    gives: printed('alive\n'),
  },
  'errors of JavaScript that nearly are those of its syntax': {
    language: 'javascript',
    code: `process.stderr.write("ERR_".repeat(${MB / 4})); process.exitCode = 3`,
    gives: finished({ exitCode: 3 }),
  },
  'errors of Python that start with much space': {
    language: 'python',
    code: `import sys\nsys.stderr.write(" " * ${MB / 2} + "\\n" * ${MB / 4} + "SyntaxError: x")\nsys.exit(3)`,
    gives: finished({ exitCode: 3 }),
  },
  'output of single bytes': {
    language: 'python',
    code: 'import os\nfor i in range(100_000): os.write(1, b"x")',
    gives: printed('x'.repeat(100_000)),
  },
  'a pipe in the place of the program, which the check of its syntax would wait for': {
    language: 'python',
    code: 'import os, sys\nos.unlink("main.py"); os.mkfifo("main.py"); print("SyntaxError: x", file=sys.stderr); sys.exit(3)',
    gives: finished({ exitCode: 3 }),
  },
  'another program in its place, which is not a program': {
    language: 'python',
    code: 'import os, sys\nos.unlink("main.py"); open("main.py", "w").write("("); print("SyntaxError: x", file=sys.stderr); sys.exit(3)',
    gives: finished({ exitCode: 3, stderr: expect.stringContaining('SyntaxError: x') }),
  },
};

const killed = (why: string) => finished({ exitCode: 137, stderr: expect.stringContaining(`Killed: ${why}`) });
/** A program that writes faster than the disk is sampled fills it, and gets the error itself. */
const OUT_OF_DISK = finished({
  exitCode: expect.toSatisfy((code: number) => code === 137 || code === 1),
  stderr: expect.stringMatching(/Killed: out of disk space|No space left on device/),
});
/** Long enough to be seen; ending it does not wait. */
const stay = 'import time\nprint("ESCAPED", flush=True)\ntime.sleep(10)\n';

/** Memory that is not in the resident size of any process. */
const memory: Readonly<Record<string, EdgeSnippet>> = {
  'shared pages that are given back and stay': {
    language: 'python',
    code: `import mmap
page = b"x" * (32 << 20)
held = []
for i in range(60):
    m = mmap.mmap(-1, len(page)); m[:] = page; m.madvise(mmap.MADV_DONTNEED); held.append(m)
${stay}`,
    gives: killed('out of memory'),
  },
  'tables of pages that are only read': {
    language: 'python',
    code: `import mmap
m = mmap.mmap(-1, 1 << 40, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=mmap.PROT_READ)
for i in range(0, 1 << 40, 1 << 21): m[i]
${stay}`,
    gives: killed('out of memory'),
  },
  'buffers of sockets': {
    language: 'python',
    code: `import os, socket
for i in range(12):
    if os.fork() == 0: break
pairs = [socket.socketpair() for i in range(200)]
for end in [end for pair in pairs for end in pair]:
    end.setblocking(False)
    try:
        while True: end.send(b"x" * 65536)
    except BlockingIOError: pass
${stay}`,
    gives: killed('out of memory'),
  },
  'a program that the kernel would not end first': {
    language: 'python',
    code: 'print(open("/proc/self/oom_score_adj").read())',
    gives: printed('1000\n\n'),
  },
  'system calls that are newer than the filter': {
    language: 'python',
    // cachestat, lsm_get_self_attr and the next hundred calls: none exists, on any kernel.
    code: `import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
known = {452, 453, 454, 455, 456, 462}
found = set()
for number in [n for n in range(451, 600) if n not in known]:
    result = libc.syscall(ctypes.c_long(number), 0, 0, 0, 0, 0, 0)
    found.add("allowed" if result != -1 else errno.errorcode[ctypes.get_errno()])
print(*sorted(found))`,
    gives: finished({ stdout: expect.stringMatching(/^ENOSYS( EPERM)?\n$/), exitCode: 0 }),
  },
  'a program that goes before the service': {
    language: 'python',
    code: `import os
try: session = open("/proc/self/autogroup").read().split()[-1]
except OSError: session = "5"
print(os.getpriority(os.PRIO_PROCESS, 0), session)`,
    gives: finished({ stdout: expect.stringMatching(priority) }),
  },
};

/** A dump that is piped to a handler of the system is made even where it may have no bytes; of one byte it is not. */
const dumps: Readonly<Record<string, EdgeSnippet>> = {
  'limit of core dumps': {
    language: 'python',
    code: 'import resource as r\nr.setrlimit(r.RLIMIT_CORE, (0, 0))\nprint(r.getrlimit(r.RLIMIT_CORE))',
    gives: printed('(1, 1)\n'),
  },
};

/** Bytes on disk that no name leads to, or only a name that is hard to say; each way writes 200 MB. */
const write = 'def write(name):\n    with open(name, "wb") as f: f.write(b"x" * (50 << 20))\n';
const disk: Readonly<Record<string, EdgeSnippet>> = {
  'removed files that are open': {
    language: 'python',
    code: `import os
${write}held = []
for i in range(4): write("f"); held.append(os.open("f", os.O_RDONLY)); os.unlink("f")
${stay}`,
    gives: OUT_OF_DISK,
  },
  'removed files that are mapped': {
    language: 'python',
    code: `import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
${write}for i in range(4):
    write("f"); fd = os.open("f", os.O_RDONLY)
    assert libc.mmap(None, ctypes.c_size_t(50 << 20), 1, 1, fd, ctypes.c_long(0)) != ctypes.c_void_p(-1).value
    os.close(fd); os.unlink("f")
${stay}`,
    gives: OUT_OF_DISK,
  },
  'files deeper than a path can say': {
    language: 'python',
    code: `import os
${write}for i in range(30): os.mkdir("d" * 200); os.chdir("d" * 200)
for i in range(4): write(str(i))
${stay}`,
    gives: OUT_OF_DISK,
  },
  'files in directories whose names are not text': {
    language: 'python',
    code: `import os
${write}os.mkdir(b"\\xff\\xfe"); os.chdir(b"\\xff\\xfe")
for i in range(4): write(b"\\xff%d" % i)
${stay}`,
    gives: OUT_OF_DISK,
  },
  'files without end, whose names are not text': {
    language: 'python',
    code: `import os
os.mkdir(b"\\xff"); os.chdir(b"\\xff")
for i in range(10_100): os.close(os.open(b"\\xff%d" % i, os.O_CREAT))
${stay}`,
    gives: killed('more than 10000 files were made'),
  },
  'files in directories that cannot be listed': {
    language: 'python',
    code: `import os
${write}os.mkdir("d", 0o300); os.chdir("d")
for i in range(4): write(str(i))
${stay}`,
    gives: OUT_OF_DISK,
  },
};

/** Trees that take long to walk. */
const trees: Readonly<Record<string, EdgeSnippet>> = {
  'a tree that is slow to walk, and a program without end': {
    language: 'python',
    code: `import os, time
top = os.getcwd()
for i in range(3000): os.mkdir("d"); os.chdir("d")
os.chdir(top)
os.close(os.open("f", os.O_CREAT))
for i in range(6000): os.link("f", str(i))
while True: time.sleep(0.01)`,
    timeoutSeconds: 2,
    gives: { kind: 'timed_out' },
  },
  'a tree that is hard to remove': {
    language: 'python',
    code: `import os
top = os.getcwd()
for mode in (0o700, 0o300, 0o1700):
    os.chdir(top)
    for i in range(50): os.mkdir(b"\\xff%o" % mode, mode); os.chdir(b"\\xff%o" % mode); os.close(os.open(b"\\xfe", os.O_CREAT))
os.chdir(top)
os.mkdir("closed", 0)
print("made")`,
    gives: printed('made\n'),
  },
};

export const attackSnippets: Readonly<Record<string, EdgeSnippet>> = {
  ...parsing,
  ...memory,
  ...dumps,
  ...disk,
  ...trees,
};
