import type { Random } from '../../../bench/corpus/random.ts';
import { Finding } from '../finding.ts';
import type { FuzzTarget } from '../target.ts';

/** Statements that ask the machine for something, in the two languages that are installed nearly everywhere. */
const STATEMENTS: Readonly<Record<string, readonly string[]>> = {
  python: [
    'import os; os.fork()',
    'import os; os.setsid()',
    'import os, signal; os.kill(os.getppid(), signal.SIGKILL)',
    'import os; os.kill(-1, 9)',
    'open("a" * 200, "w").write("x" * 100000)',
    'import os; [os.mkdir("d%d" % i) for i in range(50)]',
    'import os; os.chmod(".", 0)',
    'import os; os.symlink("/etc/passwd", "l%d" % os.getpid())',
    'import os; os.close(1)',
    'import sys; sys.stdout.buffer.write(bytes(range(256)) * 1000)',
    'import sys; sys.stderr.write("\\x1b[2J" * 1000)',
    'print(open("/proc/self/status").read()[:50])',
    'import socket; socket.socket().connect(("127.0.0.1", 80))',
    'import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))',
    'b = bytearray(30_000_000)',
    'import threading; [threading.Thread(target=lambda: None).start() for _ in range(20)]',
    'import ctypes; ctypes.string_at(0)',
    'raise SystemExit(300)',
    'import os; os._exit(255)',
    'import os; os.execv("/bin/true", ["true"])',
    'f()',
  ],
  javascript: [
    'process.kill(process.ppid, "SIGKILL")',
    'process.kill(process.pid, "SIGSEGV")',
    'require("fs").writeFileSync("x", Buffer.alloc(1e6))',
    'require("fs").readdirSync("/proc")',
    'require("child_process").spawnSync("sh", ["-c", "sleep 0 & exec true"])',
    'require("net").connect(80, "127.0.0.1").on("error", () => {})',
    'process.stdout.write("\\u0000\\ud800".repeat(1000))',
    'new Worker("0")',
    'process.exitCode = -1',
    'throw null',
    'Promise.reject(new Error("late"))',
    'require("fs").closeSync(1)',
    'new Array(1e6).fill({})',
    'f(',
  ],
};
const MAX_STATEMENTS = 4;

/** Small programs that ask for what they may not have. */
export const programs: FuzzTarget = {
  name: 'programs',
  async start(service) {
    return {
      async input(random: Random) {
        const language = random.pick(Object.keys(STATEMENTS));
        const lines = Array.from({ length: random.int(1, MAX_STATEMENTS) }, () => random.pick(STATEMENTS[language]!));
        const resources = { memory_mb: random.pick([64, 128, 512]), disk_mb: random.pick([1, 16]) };
        return Buffer.from(JSON.stringify({ language, code: lines.join('\n'), timeout: 5, resources }));
      },
      async attempt(input) {
        const response = await service.send('/api/v1/execute', { method: 'POST', body: input.toString() });
        const body = (await response.json()) as { readonly exit_code?: number; readonly stderr?: string };
        if (response.status === 200 && body.exit_code === -1)
          throw new Finding(`The execution itself failed: ${body.stderr}`);
      },
    };
  },
};
