import { expect } from 'vitest';
import { type EdgeSnippet, finished, has, printed } from './edge-snippet.ts';

/** Time, memory, disk, files, processes and processors. */
export const limitSnippets: Readonly<Record<string, EdgeSnippet>> = {
  time: { language: 'python', code: 'while True: pass', timeoutSeconds: 1, gives: { kind: 'timed_out' } },
  'time, asleep': {
    language: 'bash',
    code: 'echo so far; sleep 100',
    timeoutSeconds: 1,
    gives: { kind: 'timed_out', stdout: 'so far\n' },
  },
  'time, with signals ignored': {
    language: 'bash',
    code: "trap '' TERM INT HUP; while true; do sleep 1; done",
    timeoutSeconds: 1,
    gives: { kind: 'timed_out' },
  },
  'memory in python': {
    varies: true,
    language: 'python',
    code: 'x = bytearray(10**9)',
    gives: finished({ exitCode: 1, stderr: has('MemoryError') }),
  },
  'memory in ruby': {
    varies: true,
    language: 'ruby',
    code: 'a = []; loop { a << "x" * 1_000_000 }',
    gives: finished({ exitCode: 1, stderr: has('NoMemoryError') }),
  },
  'memory in node': {
    varies: true,
    language: 'javascript',
    code: 'const a = []; for (;;) a.push(new Array(1e5).fill(0))',
    gives: finished({ exitCode: expect.toSatisfy((code: number) => code === 134 || code === 137) }),
  },
  'memory in go': {
    varies: true,
    language: 'go',
    code: 'package main\nfunc main() { var all [][]byte; for { b := make([]byte, 1<<20); for i := range b { b[i] = 1 }; all = append(all, b) } }',
    gives: finished({ exitCode: expect.toSatisfy((code: number) => code === 2 || code === 137) }),
  },
  'memory of all processes together': {
    varies: true,
    language: 'python',
    code: 'import os, time\nfor i in range(8):\n  if os.fork() == 0: break\nx = bytearray(b"x") * 100_000_000\ntime.sleep(60)',
    gives: finished({ exitCode: 137, stderr: has('Killed: out of memory, more than 512 MB were in use') }),
  },
  'memory of processes whose program file is unreadable': {
    varies: true,
    language: 'bash',
    code: 'cp "$(command -v python3)" p; chmod 111 p; for i in 1 2; do ./p -c "import time; x = bytearray(b\'x\') * 400_000_000; time.sleep(60)" & done; wait',
    gives: finished({ exitCode: 137, stderr: has('Killed: out of memory, more than 512 MB were in use') }),
  },
  'more memory where it was asked for': {
    language: 'python',
    code: 'x = bytearray(b"x") * 700_000_000; print(len(x))',
    resources: { cpu: 1, memoryMb: 1024, diskMb: 100 },
    gives: printed('700000000\n'),
  },
  'disk, by many files': {
    varies: true,
    language: 'python',
    code: 'i = 0\nwhile True:\n  i += 1; open(str(i), "wb").write(b"x" * 1_000_000)',
    gives: finished({ exitCode: 137, stderr: has('Killed: out of disk space, more than 100 MB were written') }),
  },
  'disk, by one file': {
    varies: true,
    language: 'python',
    code: 'open("big", "wb").write(b"x" * 200_000_000)',
    // The first of both: the limit of a file, or the sample of the directory.
    gives: finished({ stderr: expect.stringMatching(/File too large|Killed: out of disk space/) }),
  },
  'files without end': {
    varies: true,
    language: 'python',
    code: 'i = 0\nwhile True:\n  i += 1; open(str(i), "w").close()',
    gives: finished({ exitCode: 137, stderr: has('files were made') }),
  },
  'directories in directories, deeper than a path can say': {
    language: 'python',
    code: 'import os\nfor i in range(2500): os.mkdir("d"); os.chdir("d")\nprint("deep")',
    gives: finished({ stdout: 'deep\n' }),
  },
  'directories closed to their owner': {
    language: 'python',
    code: 'import os\nos.makedirs("a/b"); open("a/b/c", "w").close(); os.chmod("a/b", 0); os.chmod("a", 0); os.chmod(".", 0)',
    gives: finished({}),
  },
  'links to foreign files': {
    language: 'python',
    code: 'import os\nos.symlink("/etc", "etc"); os.symlink("..", "up"); os.symlink("/usr", os.path.join(".", "usr")); print("linked")',
    gives: printed('linked\n'),
  },
  'a fork bomb': {
    varies: true,
    language: 'python',
    code: 'import os\nwhile True:\n  try: os.fork()\n  except OSError: pass',
    timeoutSeconds: 5,
    gives: finished({ exitCode: 137, stderr: has('Killed: ') }),
  },
  'a fork bomb in bash': {
    varies: true,
    language: 'bash',
    code: 'b() { b | b & }; b; sleep 5',
    timeoutSeconds: 5,
    gives: {},
  },
  daemons: {
    varies: true,
    language: 'python',
    code: 'import os, time\nfor i in range(5):\n  if os.fork() == 0:\n    try: os.setsid()\n    except OSError: pass\n    if os.fork() == 0: time.sleep(1000)\n    os._exit(0)\nprint("gone")',
    gives: finished({ stdout: has('gone'), exitCode: 0 }),
  },
  'a child that keeps the output open': {
    language: 'bash',
    code: 'sleep 1000 & echo done',
    gives: printed('done\n'),
  },
  'a child that ignores signals': {
    language: 'python',
    code: 'import os, signal, time\nif os.fork() == 0:\n  for s in range(1, 32):\n    try: signal.signal(s, signal.SIG_IGN)\n    except (OSError, ValueError): pass\n  time.sleep(1000)\nprint("done")',
    gives: printed('done\n'),
  },
  'one processor, however many would be used': {
    varies: true,
    language: 'python',
    code: 'import os, time\nfor i in range(3):\n  if os.fork() == 0: break\nend = time.time() + 4\nwhile time.time() < end and len(os.sched_getaffinity(0)) > 1: pass\nprint(len(os.sched_getaffinity(0)))',
    // The other children end with the first one.
    gives: finished({ stdout: has('1\n'), exitCode: 0 }),
  },
  'one processor, for many unreaped processes': {
    varies: true,
    language: 'python',
    code: 'import os, signal, time\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\nfor i in range(2): os.fork()\nend = time.time() + 4\nwhile time.time() < end and len(os.sched_getaffinity(0)) > 1:\n  if os.fork() == 0:\n    last = time.time() + 0.03\n    while time.time() < last: pass\n    os._exit(0)\n  time.sleep(0.02)\nprint(len(os.sched_getaffinity(0)))',
    gives: finished({ stdout: has('1\n'), exitCode: 0 }),
  },
  'memory that processes share counts once': {
    language: 'python',
    code: 'import os, time\nx = bytearray(b"x") * 100_000_000\nchildren = [os.fork() for i in range(1)]\nfor i in range(7):\n  if 0 not in children: children.append(os.fork())\nif 0 in children:\n  time.sleep(2)\n  os._exit(0)\nfor child in children: os.waitpid(child, 0)\nprint(len(children))',
    gives: printed('8\n'),
  },
};
