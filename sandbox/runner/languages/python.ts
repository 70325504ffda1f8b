import { join } from 'node:path';
import { executable, output } from '../executables.ts';
import { type Packages, packagesOf } from '../packages.ts';
import { KEPT_PYTHON } from './kept-python.ts';
import { COMMON, type Finder, type FindOptions } from './language.ts';

export function python(options: FindOptions): Finder {
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
export function pythonPackages({ folder }: Packages): Readonly<Record<string, string>> {
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

/** Commands of notebooks are not Python: says what to write in their place. */
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
