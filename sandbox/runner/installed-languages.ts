import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LanguageName, Resources } from '../../functions/sandbox/domain/run.ts';
import { executable, output } from './executables.ts';
import { goToolchain } from './go-toolchain.ts';
import { KEPT_JAVASCRIPT } from './kept-javascript.ts';
import { KEPT_PYTHON } from './kept-python.ts';
import { type InstalledPackage, linkNodeModules, type Packages, packagesOf } from './packages.ts';

/** One step of a run, confined like the program itself. */
export type Command = readonly [program: string, ...parameters: string[]];

/** A language as it is installed here. */
export interface Language {
  readonly name: LanguageName;
  readonly version: string;
  /** Name of the file that the code is put in. */
  readonly file: string;
  /** Files and directories that it needs in addition to the system's. */
  readonly readable: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Packages that programs can import in addition to the standard library. */
  readonly packages?: readonly InstalledPackage[];
  readonly packagesFolder?: string;
  /** Address space that the runtime reserves and never fills. */
  readonly reservedMb: number;
  /** @param main the file to run */
  run(resources: Resources, main: string): Command;
  /** How it is started before its program is known, to wait for it at a pipe by the name of the file. */
  readonly prestart?: {
    command(resources: Resources): Command;
    /** Code that would behave otherwise than after `run`. */
    readonly isUnfit?: (code: string) => boolean;
  };
  /** Environment in which it prints at once, for those who read along. */
  readonly streaming?: Readonly<Record<string, string>>;
  /** How it is started to run one call after another in the same state. */
  readonly keep?: (resources: Resources) => Command;
  /** In the words of this service, what its tools say of code that is no program. */
  readonly explain?: (message: string) => string;
  /** Something that it needs and that is being made; rejects when it cannot be. */
  readonly preparation?: Promise<void>;
  /** Commands before the run in its own directory: when one fails, the code is no program. @param others the other files of the run */
  readonly preparing: (main: string, others: readonly string[]) => readonly Command[];
  /**
   * Asked only when a run has failed and one of these texts is in its stderr, which a program can fill with anything: plain
   * texts are found in linear time. It parses without running, and fails when the code is no program. An interpreter parses
   * all before it runs any, so nothing has run then.
   */
  readonly afterFailure?: { readonly check: (main: string) => Command; readonly words: readonly string[] };
}

export interface MissingLanguage {
  readonly name: LanguageName;
  /** How to install it. */
  readonly hint: string;
}

export interface Installed {
  readonly languages: readonly Language[];
  /** Those of them that cannot be run yet. */
  readonly preparing: ReadonlySet<LanguageName>;
  readonly missing: readonly MissingLanguage[];
}

interface Finder {
  readonly name: LanguageName;
  readonly hint: string;
  find(): Promise<Language | null>;
}

export interface FindOptions {
  /** True if programs run as separate users, which cannot use files that only the runner may reach. */
  readonly forOtherUsers: boolean;
  /** Directory that the compiled standard library of Go is kept in. */
  readonly goCache: string;
  /** Folder of the packages that programs can import, if there is one. */
  readonly packages: string;
  /** Directory that all programs have theirs in. */
  readonly directory: string;
}

export interface Finding {
  /** All are found, though some may be in preparation: Go's standard library is compiled on the first start on a machine. */
  readonly ready: Promise<void>;
  /** Nothing is in preparation any more. */
  readonly settled: Promise<void>;
  /** The languages found so far. */
  installed(): Installed;
}

/** Finds every language once, by the absolute path behind links; a version manager's wrapper costs 100 ms a run. */
export function findLanguages(options: FindOptions): Finding {
  const languages: Language[] = [];
  const missing: MissingLanguage[] = [];
  const preparing = new Set<LanguageName>();
  const prepare = async (language: Language, hint: string) => {
    preparing.add(language.name);
    try {
      await language.preparation;
    } catch {
      languages.splice(languages.indexOf(language), 1);
      missing.push({ name: language.name, hint });
    } finally {
      preparing.delete(language.name);
    }
  };
  const preparations: Promise<void>[] = [];
  const search = async ({ name, hint, find }: Finder) => {
    const language = await find().catch(() => null);
    if (language === null) missing.push({ name, hint });
    else languages.push(language);
    if (language?.preparation !== undefined) preparations.push(prepare(language, hint));
  };
  const finders = [
    bash(options),
    go(options),
    javascript(options),
    python(options),
    ruby(options),
    typescript(options),
  ];
  const ready = Promise.all(finders.map(search)).then(() => undefined);
  return {
    ready,
    settled: ready.then(() => Promise.all(preparations)).then(() => undefined),
    installed: () => ({ languages: languages.toSorted(byName), preparing, missing: missing.toSorted(byName) }),
  };
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

const COMMON = { readable: [], environment: {}, reservedMb: 0, preparing: () => [] } as const;

function bash(options: FindOptions): Finder {
  return {
    name: 'bash',
    hint: 'apt-get install bash',
    async find() {
      const program = await executable(['bash'], options);
      if (program === null) return null;
      const version = (await output(program, '--version')).match(/version (\S+?)[(\s]/)?.[1];
      if (version === undefined) return null;
      const python = await packagesOf(options.packages, 'python');
      const javascript = await packagesOf(options.packages, 'javascript');
      return {
        ...COMMON,
        name: 'bash',
        version,
        file: 'main.sh',
        // For the other interpreters that it starts.
        readable: [
          ...(python ? [python.folder] : []),
          ...(javascript ? linkNodeModules(options.directory, javascript) : []),
        ],
        environment: python ? pythonPackages(python) : {},
        run: (_, main) => [program, ...CLEAN_BASH, BASH_RUN, main],
        prestart: { command: () => [program, ...CLEAN_BASH, BASH_RUN, 'main.sh'] },
        afterFailure: { check: (main) => [program, ...CLEAN_BASH, BASH_CHECK, main], words: [BASH_INVALID] },
      };
    },
  };
}

const CLEAN_BASH = ['--norc', '--noprofile', '-c'] as const;
const BASH_INVALID = 'main.sh is no program of bash';
/** The check of the syntax, except for programs that set options such as extglob on the way: those change the syntax. */
const BASH_CHECK = `IFS= read -rd '' code <"$0"; [[ $code == *shopt* ]] || "$BASH" -n "$0"`;
/** Bash runs what it has read so far: the syntax must be known before. A pre-started one waits at the pipe until the file is there. */
const BASH_RUN = `[[ -p $0 ]] && read -rN 1 _ <"$0"
{ ${BASH_CHECK}; } &>/dev/null || { echo "${BASH_INVALID}" >&2; exit 2; }
exec "$BASH" --norc --noprofile "$0" "$@"`;

function python(options: FindOptions): Finder {
  return {
    name: 'python',
    hint: 'apt-get install python3',
    async find() {
      const program = await findPython(options);
      if (program === null) return null;
      const [version, prefix] = (
        await output(program, '-I', '-c', 'import sys; print(sys.version.split()[0]); print(sys.base_prefix)')
      ).split('\n');
      if (version === undefined || prefix === undefined) return null;
      const packages = await packagesOf(options.packages, 'python', version);
      const check = 'import sys; compile(open(sys.argv[1], "rb").read(), sys.argv[1], "exec")';
      return {
        ...COMMON,
        name: 'python',
        version,
        file: 'main.py',
        readable: [prefix, ...(packages ? [packages.folder] : [])],
        environment: { PYTHONDONTWRITEBYTECODE: '1', ...(packages && pythonPackages(packages)) },
        ...(packages && { packages: packages.installed, packagesFolder: packages.folder }),
        run: (_, main) => [program, '-s', main],
        // The source of another encoding is read twice, which a pipe cannot be.
        prestart: { command: () => [program, '-s', 'main.py'], isUnfit: declaresEncoding },
        streaming: { PYTHONUNBUFFERED: '1' },
        explain: explainNotebook,
        keep: () => [program, '-s', '-c', KEPT_PYTHON],
        afterFailure: {
          check: (main) => [program, '-I', '-S', '-c', check, main],
          words: ['SyntaxError: ', 'IndentationError: ', 'TabError: ', 'ValueError: '],
        },
      };
    },
  };
}

/** The newest one; `python3` of a system is often older. */
export function findPython(options: Pick<FindOptions, 'forOtherUsers'>): Promise<string | null> {
  return executable(['python3.14', 'python3.13', 'python3.12', 'python3', 'python3.11'], options);
}

/** One thread does the arithmetic, as a program has one processor; figures that are shown become files. */
function pythonPackages({ folder }: Packages): Readonly<Record<string, string>> {
  return {
    PYTHONPATH: folder,
    MPLBACKEND: 'module://tripod_figures',
    MATPLOTLIBRC: join(folder, 'matplotlibrc'),
    OPENBLAS_NUM_THREADS: '1',
    OMP_NUM_THREADS: '1',
  };
}

const NOTEBOOK_REMEDIES: readonly (readonly [RegExp, string])[] = [
  [
    /^[!%]{1,2}(?:pip|conda)\b/,
    'packages cannot be installed by programs; GET /api/v1/languages lists those there are',
  ],
  [/^%/, 'leave it out; a picture is shown by plt.show()'],
  [
    /^/,
    'write import subprocess; print(subprocess.run(command, shell=True, capture_output=True, text=True).stdout), or send it with the language bash',
  ],
];

/** Commands of notebooks are no Python: says what to write in their place. */
export function explainNotebook(message: string): string {
  const [, line] = /^ {0,40}([!%][^\n]{1,200})$/m.exec(message) ?? [];
  if (line === undefined) return message;
  const remedy = NOTEBOOK_REMEDIES.find(([pattern]) => pattern.test(line))![1];
  return `${message}\n${line} is a command of notebooks, not of Python: ${remedy}.`;
}

/** Whether one of the first two lines may name another encoding of the source. */
function declaresEncoding(code: string): boolean {
  const secondLine = code.indexOf('\n') + 1;
  const end = secondLine === 0 ? -1 : code.indexOf('\n', secondLine);
  const lines = end === -1 ? code : code.slice(0, end);
  return lines.includes('coding:') || lines.includes('coding=');
}

/** Whether Ruby looks for its options or its data in the file itself. */
function readsItsOwnSource(code: string): boolean {
  const lines = `\n${code}`;
  return lines.includes('\n#!') || lines.includes('\n__END__');
}

/**
 * Ruby reads its program before it loads its own libraries, which take nearly all the time: another program has to wait in
 * its place. What it adds to the backtrace of an unrescued error is taken away again.
 */
const RUBY_PRESTART = `
$0 = "main.rb"
at_exit do
  error = $!
  while error
    error.define_singleton_method(:backtrace) { super()&.reject { |line| line.start_with?("-e:") } } unless error.frozen?
    error = error.cause
  end
end
RubyVM::InstructionSequence.compile_file("main.rb").eval
`;

function ruby(options: FindOptions): Finder {
  return {
    name: 'ruby',
    hint: 'apt-get install ruby',
    async find() {
      const program = await executable(['ruby'], options);
      if (program === null) return null;
      const [version, prefix] = (await output(program, '-e', 'puts RUBY_VERSION, RbConfig::CONFIG["prefix"]')).split(
        '\n',
      );
      if (version === undefined || prefix === undefined) return null;
      return {
        ...COMMON,
        name: 'ruby',
        version,
        file: 'main.rb',
        readable: [prefix],
        run: (_, main) => [program, '-W1', main],
        prestart: { command: () => [program, '-W1', '-e', RUBY_PRESTART], isUnfit: readsItsOwnSource },
        afterFailure: {
          check: (main) => [program, '-c', main],
          words: ['syntax error', 'SyntaxError', 'invalid multibyte'],
        },
      };
    },
  };
}

/** Node reserves address space for its heap, its code and every one of its threads. */
const NODE_RESERVED_MB = 640;

const heapOption = (memoryMb: number) => `--max-old-space-size=${Math.floor(memoryMb * 0.75)}`;

/** The Node that this is. The launcher opens it, so that it may lie where only the runner can reach. */
function node(
  name: 'javascript' | 'typescript',
  file: string,
  check: readonly string[],
  options: readonly string[],
  { packages: root, directory }: FindOptions,
): Finder {
  return {
    name,
    hint: 'install Node.js',
    async find() {
      const program = await realpath(process.execPath);
      const packages = await packagesOf(root, 'javascript');
      const run = ({ memoryMb }: Resources, main: string): Command => [program, heapOption(memoryMb), ...options, main];
      return {
        ...COMMON,
        name,
        version: process.versions.node,
        file,
        readable: [program, ...(packages ? linkNodeModules(directory, packages) : [])],
        ...(packages && { packages: packages.installed, packagesFolder: join(packages.folder, 'node_modules') }),
        environment: { NODE_DISABLE_COMPILE_CACHE: '1' },
        reservedMb: NODE_RESERVED_MB,
        run,
        prestart: { command: (resources) => run(resources, file) },
        ...(name === 'javascript' && {
          keep: ({ memoryMb }: Resources): Command => [
            program,
            heapOption(memoryMb),
            '--expose-internals',
            QUIET,
            '-e',
            KEPT_JAVASCRIPT,
          ],
        }),
        afterFailure: { check: (main) => [program, ...check, main], words: ['SyntaxError', '_TYPESCRIPT_SYNTAX'] },
      };
    },
  };
}

const javascript = (options: FindOptions) => node('javascript', 'main.js', ['--check'], [], options);

/** A check in two steps: stripping the types overlooks errors such as a name that is declared twice, and compiling the rest finds them. */
const CHECK_TYPESCRIPT = `
const vm = require("node:vm"), [, file] = process.argv;
const code = require("node:module").stripTypeScriptTypes(require("node:fs").readFileSync(file, "utf8"), { mode: "transform" });
try { vm.compileFunction(code, ["exports", "require", "module", "__filename", "__dirname"]); }
catch { new vm.SourceTextModule(code, { identifier: file }); }`;
const QUIET = '--disable-warning=ExperimentalWarning';

/** Loads what strips types before there is a program, which then need not wait for it. */
const LOAD_TYPESCRIPT = `--import=data:text/javascript,${[
  'import{isMainThread}from"node:worker_threads"',
  'import{stripTypeScriptTypes}from"node:module"',
  'isMainThread&&stripTypeScriptTypes("",{mode:"transform"})',
].join(';')}`;

const typescript = (options: FindOptions) =>
  node(
    'typescript',
    'main.ts',
    [QUIET, '--experimental-vm-modules', '--eval', CHECK_TYPESCRIPT, '--'],
    ['--experimental-transform-types', QUIET, LOAD_TYPESCRIPT],
    options,
  );

function go(options: FindOptions): Finder {
  return {
    name: 'go',
    hint: 'apt-get install golang-go, or https://go.dev/doc/install',
    async find() {
      const program = await executable(['go'], options);
      if (program === null) return null;
      const toolchain = await goToolchain(program, options.goCache);
      return {
        ...COMMON,
        name: 'go',
        version: toolchain.version,
        file: 'main.go',
        readable: toolchain.readable,
        preparation: toolchain.library,
        environment: { GOROOT: toolchain.root },
        explain: explainImports,
        // The compiler maps the export data of the standard library.
        reservedMb: 256,
        run: () => ['./main'],
        preparing: (main, others) => [
          [
            toolchain.compile,
            ...['-o', 'main.o', '-p', 'main', '-complete', '-importcfg', toolchain.importMap, main],
            ...others.filter((path) => isOfPackage(path, main)),
          ],
          [toolchain.link, '-o', 'main', '-s', '-w', '-importcfg', toolchain.importMap, 'main.o'],
        ],
      };
    },
  };
}

/** Whether Go takes a file for a part of the package that `main` is in. */
function isOfPackage(path: string, main: string): boolean {
  return path.endsWith('.go') && !path.endsWith('_test.go') && path !== main && dirname(path) === dirname(main);
}

/** The compiler says where it has looked, which is of no use to who wrote the program. */
function explainImports(message: string): string {
  return message.replaceAll(
    /^(.{0,200}could not import [^ \n]{1,500}) \(.*\)$/gm,
    '$1 (there is the standard library of Go, and no other package)',
  );
}
