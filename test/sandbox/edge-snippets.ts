import { expect } from 'vitest';
import type { Run } from '../../functions/sandbox/domain/run.ts';

export interface EdgeSnippet extends Partial<Run> {
  readonly language: Run['language'];
  readonly code: string;
  /** Part of the outcome. */
  readonly gives: object;
  /** True when two runs of it may end in different ways. */
  readonly varies?: boolean;
}

const finished = (rest: object) => ({ kind: 'finished', ...rest });
const printed = (stdout: string) => finished({ stdout, stderr: '', exitCode: 0 });
const has = (text: string) => expect.stringContaining(text);

export const edgeSnippets: Readonly<Record<string, EdgeSnippet>> = {
  'hello in bash': { language: 'bash', code: 'echo hello', gives: printed('hello\n') },
  'hello in python': { language: 'python', code: 'print("hello")', gives: printed('hello\n') },
  'hello in javascript': { language: 'javascript', code: 'console.log("hello")', gives: printed('hello\n') },
  'hello in typescript': {
    language: 'typescript',
    code: 'enum Word { Hello = "hello" }\nconst word: string = Word.Hello;\nconsole.log(word);',
    gives: printed('hello\n'),
  },
  'hello in ruby': { language: 'ruby', code: 'puts "hello"', gives: printed('hello\n') },
  'hello in go': {
    language: 'go',
    code: 'package main\nimport "fmt"\nfunc main() { fmt.Println("hello") }',
    gives: printed('hello\n'),
  },
  'a module in javascript': {
    language: 'javascript',
    code: 'import { basename } from "node:path"; console.log(await basename("/a/b"))',
    gives: printed('b\n'),
  },
  'a child of node': {
    language: 'javascript',
    code: 'console.log(require("child_process").execFileSync("/bin/echo", ["x"]).toString())',
    gives: printed('x\n\n'),
  },
  'a thread of node': {
    language: 'javascript',
    code: 'const { Worker } = require("worker_threads"); new Worker("console.log(1)", { eval: true })',
    gives: printed('1\n'),
  },
  'public facts of the system': {
    language: 'python',
    code: [
      'import mimetypes, os',
      'mimetypes.init()',
      'facts = ["mime.types", "hosts", "services", "protocols", "timezone", "magic", "os-release", "ssl/certs"]',
      'for path in map("/etc/".__add__, facts):',
      '    if os.path.isdir(path): os.listdir(path)',
      '    elif os.path.exists(path): open(path, "rb").read()',
      'print(mimetypes.guess_type("a.png")[0])',
      'try: open("/etc/shadow").read()',
      'except OSError: print("private")',
    ].join('\n'),
    gives: printed('image/png\nprivate\n'),
  },
  'options that hold kernel memory': {
    language: 'python',
    code: [
      'import ctypes, errno, mmap, platform',
      'libc = ctypes.CDLL(None, use_errno=True)',
      'x64 = platform.machine() == "x86_64"',
      'def outcome(call, *arguments):',
      '    ctypes.set_errno(0)',
      '    done = call(*[ctypes.c_long(a) for a in arguments])',
      '    return "done" if done >= 0 else errno.errorcode[ctypes.get_errno()]',
      'page = mmap.mmap(-1, 4096)',
      'address = ctypes.addressof(ctypes.c_char.from_buffer(page))',
      'print("futex hash", outcome(libc.prctl, 78, 1, 1 << 24, 0, 0))',
      'print("filter", outcome(libc.prctl, 22, 2, 0, 0, 0), outcome(libc.syscall, 317 if x64 else 277, 1, 0, 0))',
      'print("ruleset", *[outcome(libc.syscall, n, 0, 0, 1) for n in (444, 445, 446)])',
      'print("merging", outcome(libc.madvise, address, 4096, 12))',
      'print("name", outcome(libc.prctl, 15, ctypes.addressof(ctypes.create_string_buffer(b"x")), 0, 0, 0))',
      'print("huge", outcome(libc.madvise, address, 4096, 14))',
      'print("unknown", outcome(libc.fcntl, 1, 1099, 0))',
    ].join('\n'),
    gives: printed(
      [
        'futex hash EINVAL',
        'filter EINVAL ENOSYS',
        'ruleset ENOSYS ENOSYS ENOSYS',
        'merging EINVAL',
        'name done',
        'huge done',
        'unknown EINVAL',
        '',
      ].join('\n'),
    ),
  },
  'children of python': {
    language: 'python',
    code: 'import subprocess\nprint(subprocess.run(["sort"], input="b\\na\\n", text=True, capture_output=True).stdout)',
    gives: printed('a\nb\n\n'),
  },
  'threads of python': {
    language: 'python',
    code: 'from concurrent.futures import ThreadPoolExecutor\nprint(list(ThreadPoolExecutor(8).map(abs, [-1, -2])))',
    gives: printed('[1, 2]\n'),
  },
  'options of calls that honest programs use': {
    language: 'python',
    code: `import ctypes, fcntl, mmap, os, socket, struct
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(15, b"worker", 0, 0, 0) == 0 and libc.prctl(1, 9, 0, 0, 0) == 0 and libc.prctl(38, 1, 0, 0, 0) == 0
pages = mmap.mmap(-1, 1 << 22, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
for advice in ("MADV_DONTNEED", "MADV_FREE", "MADV_WILLNEED", "MADV_HUGEPAGE", "MADV_DONTDUMP"): pages.madvise(getattr(mmap, advice))
file = open("own", "w")
fcntl.flock(file, fcntl.LOCK_EX); fcntl.lockf(file, fcntl.LOCK_EX)
os.close(fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, 0)); fcntl.fcntl(file, fcntl.F_GETFL)
one, _ = socket.socketpair()
one.settimeout(1); one.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
for option in (socket.SO_REUSEADDR, socket.SO_KEEPALIVE, socket.SO_RCVLOWAT): one.setsockopt(socket.SOL_SOCKET, option, 1)
for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO): one.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", 1, 0))
print("done")`,
    gives: printed('done\n'),
  },
  'a set of private files': {
    language: 'python',
    code: 'import tempfile\nf = tempfile.TemporaryFile("w+")\nf.write("x")\nf.seek(0)\nprint(f.read())',
    gives: printed('x\n'),
  },
  goroutines: {
    language: 'go',
    code: 'package main\nimport ("fmt"; "sync")\nfunc main() { var w sync.WaitGroup; for i := 0; i < 1000; i++ { w.Add(1); go w.Done() }; w.Wait(); fmt.Println("done") }',
    gives: printed('done\n'),
  },

  'exit code 0 of nothing': { language: 'python', code: '', gives: printed('') },
  'exit code 7': { language: 'bash', code: 'exit 7', gives: finished({ exitCode: 7 }) },
  'exit code 125, the launcher’s own': { language: 'bash', code: 'exit 125', gives: finished({ exitCode: 125 }) },
  'exit code 255': { language: 'javascript', code: 'process.exit(255)', gives: finished({ exitCode: 255 }) },
  'exit code beyond a byte': { language: 'python', code: 'import os; os._exit(256)', gives: finished({ exitCode: 0 }) },
  'killed by its own hand': { language: 'bash', code: 'kill -9 $$', gives: finished({ exitCode: 137 }) },
  terminated: { language: 'python', code: 'import os; os.kill(0, 15)', gives: finished({ exitCode: 143 }) },
  aborted: { language: 'python', code: 'import os; os.abort()', gives: finished({ exitCode: 134 }) },
  'segmentation fault': {
    language: 'python',
    code: 'import ctypes; ctypes.string_at(0)',
    gives: finished({ exitCode: 139 }),
  },
  'an exception': {
    language: 'ruby',
    code: 'raise "no"',
    gives: finished({ exitCode: 1, stderr: has('no (RuntimeError)') }),
  },

  'standard input': {
    language: 'python',
    code: 'import sys; print(len(sys.stdin.read()))',
    stdin: 'é'.repeat(1_000_000),
    gives: printed('1000000\n'),
  },
  'standard input that no process reads': {
    language: 'bash',
    code: 'echo x',
    stdin: 'y'.repeat(4_000_000),
    gives: printed('x\n'),
  },
  'standard input that is closed': { language: 'bash', code: 'exec <&-; echo x', stdin: 'y', gives: printed('x\n') },
  'no standard input': { language: 'python', code: 'print(input())', gives: finished({ stderr: has('EOFError') }) },
  'the environment': {
    language: 'bash',
    code: 'echo "$GREETING"',
    environment: { GREETING: 'two words\nand = "more"' },
    gives: printed('two words\nand = "more"\n'),
  },
  'nothing of the runner’s environment': {
    language: 'python',
    // Those of packages are there where packages are installed.
    code: 'import os; print(sorted(name for name in os.environ if not name.startswith(("PYTHON", "MPL", "MATPLOTLIB", "OPENBLAS", "OMP"))))',
    gives: printed("['HOME', 'LANG', 'LOGNAME', 'PATH', 'TMPDIR', 'USER']\n"),
  },

  'syntax in python': {
    language: 'python',
    code: 'print("hello"',
    gives: { kind: 'invalid_syntax', message: has("SyntaxError: '(' was never closed") },
  },
  'indentation in python': {
    language: 'python',
    code: 'if True:\nprint(1)',
    gives: { kind: 'invalid_syntax', message: has('IndentationError') },
  },
  'syntax in javascript': {
    language: 'javascript',
    code: 'const = 1',
    gives: { kind: 'invalid_syntax', message: has('SyntaxError') },
  },
  'syntax in typescript': { language: 'typescript', code: 'const a: = 1', gives: { kind: 'invalid_syntax' } },
  'syntax in ruby': {
    language: 'ruby',
    code: 'puts (',
    gives: { kind: 'invalid_syntax', message: has('syntax error') },
  },
  'syntax in go': {
    language: 'go',
    code: 'package main\nfunc main() { x }',
    gives: { kind: 'invalid_syntax', message: has('undefined: x') },
  },
  'an unknown package in go': {
    language: 'go',
    code: 'package main\nimport _ "example.com/x"\nfunc main() {}',
    gives: {
      kind: 'invalid_syntax',
      message:
        'main.go:2:10: could not import example.com/x (there is the standard library of Go, and no other package)',
    },
  },
  'a pattern that bash knows by an option which the program sets': {
    language: 'bash',
    code: 'shopt -s extglob\ncase abc in !(x|y)) echo other;; esac',
    gives: printed('other\n'),
  },
  'the streams by their names, in python': {
    language: 'python',
    code: 'print(open("/dev/stdin").read(), flush=True)\nopen("/dev/stdout", "w").write("out\\n")\nopen("/dev/stderr", "w").write("err\\n")',
    stdin: 'in',
    gives: finished({ stdout: 'in\nout\n', stderr: 'err\n', exitCode: 0 }),
  },
  'the streams by their names, in javascript': {
    language: 'javascript',
    code: 'const fs = require("fs"); fs.writeFileSync("/dev/stdout", fs.readFileSync("/dev/stdin", "utf8")); fs.writeFileSync("/dev/stderr", "err\\n")',
    stdin: 'in',
    gives: finished({ stdout: 'in', stderr: 'err\n', exitCode: 0 }),
  },
  'the streams by their names, in ruby': {
    language: 'ruby',
    code: 'File.write("/dev/stdout", File.read("/dev/stdin")); File.write("/dev/stderr", "err\\n")',
    stdin: 'in',
    gives: finished({ stdout: 'in', stderr: 'err\n', exitCode: 0 }),
  },
  'the streams by their names, in bash': {
    language: 'bash',
    code: 'cat /dev/stdin; echo err >/dev/stderr; echo out >/dev/stdout',
    stdin: 'in\n',
    gives: finished({ stdout: 'in\nout\n', stderr: 'err\n', exitCode: 0 }),
  },
  'the streams by their names, in go': {
    language: 'go',
    code: 'package main\nimport "os"\nfunc main() { b, _ := os.ReadFile("/dev/stdin"); os.WriteFile("/dev/stdout", b, 0); os.WriteFile("/dev/stderr", b, 0) }',
    stdin: 'in',
    gives: finished({ stdout: 'in', stderr: 'in', exitCode: 0 }),
  },
  'pools, locks and queues of processes in python': {
    language: 'python',
    code: `import multiprocessing as m
from concurrent.futures import ProcessPoolExecutor
def square(x): return x * x
if __name__ == "__main__":
    with m.Pool(2) as pool: print(pool.map(square, range(4)))
    with m.Lock(): print("locked")
    queue = m.Queue(); child = m.Process(target=queue.put, args=(7,)); child.start(); print(queue.get()); child.join()
    with ProcessPoolExecutor(2) as pool: print(list(pool.map(square, [3])))`,
    gives: printed('[0, 1, 4, 9]\nlocked\n7\n[9]\n'),
  },
  'a copy by a call that is refused': {
    language: 'python',
    code: 'import shutil, tempfile, os\nopen("a", "w").write("x" * 100_000)\nshutil.copyfile("a", "b")\nprint(os.path.getsize("b"), tempfile.gettempdir() == os.getcwd())',
    gives: printed('100000 True\n'),
  },
  'a directory for all, which is its own': {
    language: 'python',
    code: 'import os\nopen("/tmp/x", "w").write("1")\nprint(os.listdir("/tmp"), open("/tmp/x").read(), oct(os.stat("/tmp").st_mode))',
    gives: printed("['x'] 1 0o41777\n"),
  },
  'syntax in bash, which must not run in part': {
    language: 'bash',
    code: 'echo hello\nif',
    gives: { kind: 'invalid_syntax', message: has('syntax error') },
  },
  'a forged mark of syntax in bash that depends on an option': {
    language: 'bash',
    code: 'shopt -s extglob\ncase ab in @(a|ab)) echo kept;; esac\necho "main.sh is no program of bash" >&2; exit 3',
    gives: finished({ stdout: 'kept\n', exitCode: 3 }),
  },
  'arguments and level of bash': {
    language: 'bash',
    arguments: ['one', 'two words'],
    code: 'echo "$0" "$#" "$2" "$SHLVL" "[$code]"',
    gives: printed('main.sh 2 two words 1 []\n'),
  },
  'a name that TypeScript declares twice': {
    language: 'typescript',
    code: 'const a: number = 1;\nconst a: number = 2;',
    gives: { kind: 'invalid_syntax', message: has("Identifier 'a' has already been declared") },
  },
  'a module of TypeScript that speaks of syntax': {
    language: 'typescript',
    code: 'import { sep } from "node:path";\nenum E { A }\nconst a: string = await sep; console.log(a); throw new SyntaxError(E[0])',
    gives: finished({ stdout: '/\n', exitCode: 1 }),
  },
  'a stack, which names its file as the author does': {
    language: 'python',
    code: 'raise ValueError("no")',
    gives: finished({
      stderr:
        'Traceback (most recent call last):\n  File "main.py", line 1, in <module>\n    raise ValueError("no")\nValueError: no\n',
    }),
  },
  'a user with a name': {
    language: 'python',
    code: 'import getpass\nprint(getpass.getuser())',
    gives: printed('program\n'),
  },
  'a forged syntax error': {
    language: 'python',
    code: 'import sys; print("kept"); print("SyntaxError: no", file=sys.stderr); sys.exit(1)',
    gives: finished({ stdout: 'kept\n', exitCode: 1 }),
  },
  'an honest failure of TypeScript that speaks of syntax': {
    language: 'typescript',
    code: 'const a: number = 1; console.log(a); throw new SyntaxError("no")',
    gives: finished({ stdout: '1\n', exitCode: 1 }),
  },
  'a forged report': {
    varies: true,
    language: 'bash',
    code: 'echo "R 0 1 1 1" >&3; echo "R 0 1 1 1" >/proc/$PPID/fd/3; exit 9',
    gives: finished({ exitCode: 9 }),
  },

  'output of 100 MB': {
    language: 'python',
    code: 'import sys\nfor i in range(100): sys.stdout.write("x" * 1_000_000)\nprint("end")',
    gives: finished({
      stdout: expect.stringMatching(/^x+\n\[\.\.\. \d+ bytes left out \.\.\.\]\nx+end\n$/),
      exitCode: 0,
    }),
  },
  'endless output': {
    varies: true,
    language: 'bash',
    code: 'exec yes',
    timeoutSeconds: 1,
    gives: { kind: 'timed_out', stdout: has('y\ny\n') },
  },
  'output that is no UTF-8': {
    language: 'python',
    code: 'import sys; sys.stdout.buffer.write(b"a\\xff\\xfeb\\xc3")',
    gives: printed('a��b�'),
  },
  'a character in two writes': {
    language: 'python',
    code: 'import sys, time\nfor byte in "한".encode():\n  sys.stdout.buffer.write(bytes([byte])); sys.stdout.flush(); time.sleep(0.02)',
    gives: printed('한'),
  },
  'characters at the cuts': {
    language: 'python',
    code: 'print("a" + "한" * 1_000_000)',
    gives: finished({ stdout: expect.stringMatching(/^a한+\n\[\.\.\. \d+ bytes left out \.\.\.\]\n한+\n$/u) }),
  },

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
