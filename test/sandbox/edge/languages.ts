import { type EdgeSnippet, finished, has, printed } from './edge-snippet.ts';

/** Expectations of programs of each language about their surroundings. */
export const languageSnippets: Readonly<Record<string, EdgeSnippet>> = {
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
  'arguments and level of bash': {
    language: 'bash',
    arguments: ['one', 'two words'],
    code: 'echo "$0" "$#" "$2" "$SHLVL" "[$code]"',
    gives: printed('main.sh 2 two words 1 []\n'),
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
    code: 'import getpass, os, pwd, subprocess\nprint(getpass.getuser(), pwd.getpwuid(os.getuid()).pw_name, subprocess.getoutput("id -un"), subprocess.getoutput("id -gn"), pwd.getpwnam("program").pw_dir == os.environ["HOME"] == os.getcwd())',
    gives: printed('program program program program True\n'),
  },
  'stacks in ordinary output, which name files as the author does, next to paths that a program prints': {
    language: 'python',
    code: 'import os, traceback\ntry: 1 / 0\nexcept ZeroDivisionError: print(traceback.format_exc())\nprint(os.path.abspath("a.txt") == os.getcwd() + "/a.txt")\nprint(len(os.path.abspath("a.txt")) > 20)',
    gives: printed(
      'Traceback (most recent call last):\n  File "main.py", line 2, in <module>\n    try: 1 / 0\n         ~~^~~\nZeroDivisionError: division by zero\n\nTrue\nTrue\n',
    ),
  },
  'eight threads of node': {
    language: 'javascript',
    code: 'const { Worker } = require("worker_threads"); let left = 8; for (let i = 0; i < 8; i++) new Worker("require(\'worker_threads\').parentPort.postMessage(1)", { eval: true }).on("message", () => { if (--left === 0) console.log("all") })',
    gives: printed('all\n'),
  },
  'a forged report': {
    varies: true,
    language: 'bash',
    code: 'echo "R 0 1 1 1" >&3; echo "R 0 1 1 1" >/proc/$PPID/fd/3; exit 9',
    gives: finished({ exitCode: 9 }),
  },
};
