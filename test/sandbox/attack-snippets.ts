import { expect } from 'vitest';
import type { EdgeSnippet } from './edge-snippets.ts';

const MB = 1024 * 1024;

const finished = (rest: object) => ({ kind: 'finished', ...rest });
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
  'errors of Python that begin with much space': {
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
  'another program in its place, which is no program': {
    language: 'python',
    code: 'import os, sys\nos.unlink("main.py"); open("main.py", "w").write("("); print("SyntaxError: x", file=sys.stderr); sys.exit(3)',
    gives: finished({ exitCode: 3, stderr: expect.stringContaining('SyntaxError: x') }),
  },
};

export const attackSnippets: Readonly<Record<string, EdgeSnippet>> = { ...parsing };
