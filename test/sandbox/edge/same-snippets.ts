import type { Run } from '../../../functions/sandbox/domain/run.ts';

type Snippet = Partial<Run> & Pick<Run, 'language' | 'code'>;

/** A program's view of its start, and its end: a pre-started interpreter must not differ. */
export const sameSnippets: Readonly<Record<string, Snippet>> = {
  'where it is': {
    language: 'python',
    code: 'import sys, os\nprint(__name__, __file__, __package__, __doc__, __spec__, __loader__.__class__, sorted(globals()))\nprint(sys.argv, sys.path, sys.flags, sys.orig_argv[1:], sys.stdin, os.getcwd(), os.listdir(), sorted(os.environ.items()), sorted(sys.modules))',
  },
  'its open files': { language: 'python', code: 'import os\nprint(sorted(os.listdir("/proc/self/fd")))' },
  'its own file': {
    language: 'python',
    code: 'import os, stat\nwith open(__file__) as f: print(f.read())\ns = os.stat("main.py")\nprint(oct(s.st_mode), s.st_uid == os.getuid(), s.st_size)',
  },
  'its limits': {
    language: 'bash',
    code: 'ulimit -a; cat /proc/self/status | grep -E "Seccomp:|NoNewPrivs|Cap|Groups"',
  },
  'its limits in python': {
    language: 'python',
    code: 'import resource, re\nprint([resource.getrlimit(n) for n in range(16)])\nprint([l for l in open("/proc/self/status") if re.match("Seccomp:|NoNewPrivs|Cap|Groups|SigBlk|SigIgn|Cpus_allowed", l)])',
  },
  'a traceback': { language: 'python', code: 'def f(n):\n  return 1 / n\n\nf(0)' },
  'a traceback with a cause': {
    language: 'python',
    code: 'try:\n  {}["a"]\nexcept KeyError as e:\n  raise ValueError("한") from e',
  },
  'an inner stack': { language: 'python', code: 'import traceback\ndef f(): traceback.print_stack()\nf()' },
  'too deep': { language: 'python', code: 'def f(): f()\nf()' },
  'exit with words': { language: 'python', code: 'import sys\nsys.exit("no")' },
  'work at exit': { language: 'python', code: 'import atexit\natexit.register(print, "bye")\nraise SystemExit(3)' },
  'a thread that outlives main': {
    language: 'python',
    code: 'import threading, time\nthreading.Thread(target=lambda: (time.sleep(0.1), print("late"))).start()\nprint("early")',
  },
  'lines of input': {
    language: 'python',
    code: 'import sys\nprint(input())\nfor l in sys.stdin: print(l)',
    stdin: 'a\nb\nc',
  },
  'another encoding': { language: 'python', code: '# -*- coding: euc-kr -*-\nprint(1)' },
  "a program's own module": {
    language: 'python',
    code: 'open("mine.py", "w").write("x = 7")\nimport mine\nprint(mine.x, mine.__file__)',
  },
  'processes of multiprocessing': {
    language: 'python',
    code: 'import multiprocessing as m\ndef f(x): return x * x\nif __name__ == "__main__":\n  with m.get_context("spawn").Process(target=print, args=("child",)) as p if False else open("/dev/null"): print(f(3))',
  },
  'an interrupt': {
    language: 'python',
    code: 'import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nprint("after")',
  },
  'what it holds in javascript': {
    language: 'javascript',
    code: 'console.log(process.argv, process.execArgv, process.env, __filename, __dirname, require.main === module, module.paths.length, Object.keys(require.cache), require("fs").readdirSync("/proc/self/fd").length, require("fs").readFileSync(__filename, "utf8"), process.title, process.stdin.isTTY, process.cwd())',
  },
  'an error in javascript': { language: 'javascript', code: 'function f() { null.x; }\n\nf();' },
  'an error in a module': {
    language: 'javascript',
    code: 'import fs from "node:fs";\nthrow new TypeError(import.meta.url)',
  },
  'a rejection': { language: 'javascript', code: 'Promise.reject(new Error("no"));' },
  'an exit code of javascript': {
    language: 'javascript',
    code: 'process.on("exit", () => console.log("bye")); process.exitCode = 4;',
  },
  'input in javascript': {
    language: 'javascript',
    code: 'process.stdin.on("data", (d) => process.stdout.write(d)).on("end", () => console.log("end"))',
    stdin: 'a\nb',
  },
  'input at once in javascript': {
    language: 'javascript',
    code: 'console.log(require("fs").readFileSync(0, "utf8"))',
    stdin: 'é'.repeat(100_000),
  },
  'a child of its own kind': {
    language: 'javascript',
    code: 'if (process.send) process.send(process.execArgv); else require("child_process").fork(__filename).on("message", (m) => console.log(m))',
  },
  'a large program': {
    language: 'javascript',
    code: `//${'한'.repeat(300_000)}\nconsole.log(require("fs").statSync(__filename).size)`,
  },
  'a first line for a shell': { language: 'javascript', code: '#!/usr/bin/env node\nconsole.log(1)' },
  'what it holds in typescript': {
    language: 'typescript',
    code: 'const a: unknown = [process.argv, process.execArgv, process.env];\nconsole.log(a, import.meta.filename);',
  },
  'an error in typescript': {
    language: 'typescript',
    code: 'namespace N { export function f(): void { throw new Error("no"); } }\nN.f();',
  },
  'require in typescript': {
    language: 'typescript',
    code: 'const fs = require("fs");\nconsole.log(fs.readdirSync("."), require.main === module);',
  },
  'a thread in typescript': {
    language: 'typescript',
    code: 'import { Worker } from "node:worker_threads";\nnew Worker("console.log(1)", { eval: true });',
  },
  'what it holds in ruby': {
    language: 'ruby',
    code: 'p __FILE__, $0, __FILE__ == $0, __dir__, __method__, ARGV, Dir.pwd, ENV.to_h, $LOAD_PATH, $LOADED_FEATURES, local_variables, self, $VERBOSE, Dir.children("/proc/self/fd").size, __ENCODING__, Encoding.default_external, $stdin.tty?, global_variables.sort, Thread.list.size, $!, $@',
  },
  'an error in ruby': { language: 'ruby', code: 'def f(a)\n  a.nothing\nend\n\nf(nil)' },
  'an error with a cause in ruby': {
    language: 'ruby',
    code: 'begin\n  Integer("x")\nrescue => e\n  raise "한"\nend',
  },
  'a misspelt name in ruby': { language: 'ruby', code: '[1].frist' },
  'an error in a library of ruby': { language: 'ruby', code: 'require "json"\nJSON.parse("{")' },
  'abort in ruby': { language: 'ruby', code: 'abort "no"' },
  'exit in ruby': { language: 'ruby', code: 'at_exit { puts "bye" }\nexit 3' },
  'an error and work at exit in ruby': {
    language: 'ruby',
    code: 'at_exit { p $!.message }\nraise ArgumentError, "no"',
  },
  'an error at exit in ruby': { language: 'ruby', code: 'at_exit { raise "late" }\nputs 1' },
  'another exit at exit in ruby': { language: 'ruby', code: 'at_exit { exit 5 }\nraise "no"' },
  'a signal in ruby': { language: 'ruby', code: 'Process.kill(:TERM, $$); sleep 1' },
  'a signal raised in ruby': { language: 'ruby', code: 'raise Interrupt' },
  'an uncaught throw': { language: 'ruby', code: 'throw :no' },
  'return at the top': { language: 'ruby', code: 'puts 1\nreturn\nputs 2' },
  'its data': { language: 'ruby', code: 'puts DATA.read\n__END__\ndata' },
  'a file in its folder': { language: 'ruby', code: 'File.write("b.rb", "puts __FILE__")\nrequire_relative "b"' },
  'frozen text': { language: 'ruby', code: '# frozen_string_literal: true\n"a" << "b"' },
  'methods of the top': {
    language: 'ruby',
    code: 'def f = 1\np Object.private_method_defined?(:f), 1.respond_to?(:f)\n1.f',
  },
  'a thread that dies in ruby': { language: 'ruby', code: 'Thread.new { raise "no" }.join' },
  'gets in ruby': { language: 'ruby', code: 'p gets, $stdin.read, ARGF.class', stdin: 'a\nb' },
  'a warning of ruby': { language: 'ruby', code: 'X = 1\nX = 2\nif a = 1 then puts a end' },
  'evaluation in ruby': { language: 'ruby', code: 'eval "raise \'no\'"' },
  'BEGIN and END in ruby': { language: 'ruby', code: 'END { puts 3 }\nputs 2\nBEGIN { puts 1 }' },
  'a flip of output in ruby': { language: 'ruby', code: '$stdout.print "no newline"; $stderr.print "err"; raise "x"' },
  'exit! in ruby': { language: 'ruby', code: 'at_exit { puts 1 }; $stdout.sync = true; print 2; exit!(9)' },
};
