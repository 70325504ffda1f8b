import { expect } from 'vitest';
import { type EdgeSnippet, finished, has, printed } from './edge-snippet.ts';

/** Input and output. */
export const streamSnippets: Readonly<Record<string, EdgeSnippet>> = {
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
  'output that is not UTF-8': {
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
};
