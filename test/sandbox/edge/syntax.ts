import { type EdgeSnippet, finished, has, printed } from './edge-snippet.ts';

/** Code that is not a program, and code that only says so. */
export const syntaxSnippets: Readonly<Record<string, EdgeSnippet>> = {
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
  'syntax in bash, which must not run in part': {
    language: 'bash',
    code: 'echo hello\nif',
    gives: { kind: 'invalid_syntax', message: has('syntax error') },
  },
  'a forged mark of syntax in bash that depends on an option': {
    language: 'bash',
    code: 'shopt -s extglob\ncase ab in @(a|ab)) echo kept;; esac\necho "main.sh is not a program of bash" >&2; exit 3',
    gives: finished({ stdout: 'kept\n', exitCode: 3 }),
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
};
