import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_RESOURCES, type LanguageName } from '../../functions/sandbox/domain/run.ts';
import { defaultPackagesFolder, packagesOf } from '../../sandbox/runner/packages.ts';
import { ORDINARY_USER } from '../helpers/go-library.ts';
import { runBare, seenOf } from './bare-interpreter.ts';
import { DOCKER } from './hostile/docker-setting.ts';
import { isRoot } from './hostile/kept-in.ts';
import { JAVASCRIPT_PROGRAMS, PYTHON_PROGRAMS } from './package-programs.ts';
import { notInstalled, type RunnerProcess, type RunnerProcessOptions, startRunner } from './runner-process.ts';

/** As `npm run sandbox:packages` lays it out, with a package for each language. */
function packagesFolder(): string {
  const root = mkdtempSync(join(isRoot ? '/var/lib' : tmpdir(), 'tripod-packages-test-'));
  const put = (path: string, text: string) => {
    mkdirSync(join(root, path, '..'), { recursive: true, mode: 0o755 });
    writeFileSync(join(root, path), text, { mode: 0o644 });
  };
  chmodSync(root, 0o755);
  put('python/tiny.py', 'word = "tiny in Python"\n');
  put('python/tripod-packages.json', JSON.stringify([{ name: 'tiny', version: '1.0.0' }]));
  put('javascript/node_modules/tiny/index.js', 'exports.word = "tiny in Node";\n');
  put('javascript/node_modules/tiny/package.json', '{"name":"tiny","version":"1.0.0"}');
  put('javascript/tripod-packages.json', JSON.stringify([{ name: 'tiny', version: '1.0.0' }]));
  return root;
}

const folder = packagesFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const withPackages = ({ environment, ...options }: RunnerProcessOptions): RunnerProcessOptions => ({
  ...options,
  environment: { ...environment, RUNNER_PACKAGES: folder },
});

const SETTINGS: readonly { name: string; options: RunnerProcessOptions; asRoot: boolean }[] = [
  { name: 'as root', options: {}, asRoot: true },
  { name: 'with Docker’s capabilities', options: DOCKER, asRoot: true },
  { name: 'as an ordinary user', options: isRoot ? { uid: ORDINARY_USER } : {}, asRoot: false },
];

for (const { name: setting, options, asRoot } of SETTINGS)
  describe(`packages, ${setting}`, () => {
    let runner: RunnerProcess;
    let cannot = asRoot && !isRoot ? 'this is not root' : '';

    beforeAll(async () => {
      if (cannot !== '') return;
      const started = await startRunner(withPackages(options));
      if (typeof started === 'string') cannot = started;
      else runner = started;
    });
    afterAll(() => runner?.stop());

    const opened = (skip: (note: string) => never, language: LanguageName) => {
      if (cannot !== '') skip(cannot);
      if (!runner.languages.has(language)) notInstalled(language, skip);
    };

    it('are imported by programs, and listed with their language', async ({ skip }) => {
      opened(skip, 'python');
      const listed = (await (await runner.request('GET', '/languages')).json()) as { languages: { name: string }[] };
      for (const name of ['python', 'javascript', 'typescript'])
        expect(listed.languages.find((each) => each.name === name)).toMatchObject({
          packages: [{ name: 'tiny', version: '1.0.0' }],
        });
      // The second one runs in an interpreter that has waited for it.
      for (let i = 0; i < 2; i += 1) {
        const python = { language: 'python', code: 'import tiny; print(tiny.word)' } as const;
        expect(await runner.run(python)).toMatchObject({ stdout: 'tiny in Python\n' });
        const common = { language: 'javascript', code: 'console.log(require("tiny").word)' } as const;
        expect(await runner.run(common)).toMatchObject({ stdout: 'tiny in Node\n' });
        const typed = {
          language: 'typescript',
          code: 'import { word } from "tiny"; console.log(word as string)',
        } as const;
        expect(await runner.run(typed)).toMatchObject({ stdout: 'tiny in Node\n' });
        const shell = { language: 'bash', code: 'python3 -c "import tiny; print(tiny.word)"' } as const;
        expect(await runner.run(shell)).toMatchObject({ stdout: 'tiny in Python\n' });
      }
    });

    it('that are missing are named with those that are there', async ({ skip }) => {
      opened(skip, 'python');
      const hint =
        'tensorflow is not installed here. Packages that are: tiny. To install those of sandbox/packages/python.txt, run: npm run sandbox:packages. Add others to it first.';
      expect(await runner.run({ language: 'python', code: 'import tensorflow' })).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(new RegExp(`ModuleNotFoundError: .*\\n${hint}\\n$`)),
      });
      for (const code of ['require("express")', 'import "express"'])
        expect(await runner.run({ language: 'javascript', code })).toMatchObject({
          stderr: expect.stringMatching(
            /express is not installed here.*javascript\.txt, run: npm run sandbox:packages\. .*\n$/,
          ),
        });
      // Not where the program itself has dealt with it.
      const handled = 'try:\n  import tensorflow\nexcept ModuleNotFoundError as error:\n  print(error)';
      expect(await runner.run({ language: 'python', code: handled })).toMatchObject({ exitCode: 0, stderr: '' });
    });

    it('cannot be changed by programs', async ({ skip }) => {
      opened(skip, 'python');
      const code = `
import os
for path in ("${folder}/python/tiny.py", "${folder}/python/new.py", "${folder}/javascript/node_modules/tiny/index.js"):
    try:
        open(path, "a").write("changed"); print("CHANGED", path)
    except OSError as error: print("refused")
try: os.unlink("../node_modules"); print("CHANGED link")
except OSError: print("refused")`;
      expect(await runner.run({ language: 'python', code })).toMatchObject({ stdout: 'refused\n'.repeat(4) });
    });
  });

it('compiled packages of another Python are not used', async () => {
  const made = packagesFolder();
  try {
    writeFileSync(join(made, 'python', 'tripod-python.txt'), '3.12', { mode: 0o644 });
    expect(await packagesOf(made, 'python', '3.12.9')).toMatchObject({ installed: [{ name: 'tiny' }] });
    expect(await packagesOf(made, 'python', '3.1.2')).toBe(null);
    expect(await packagesOf(made, 'python', '3.13.0')).toBe(null);
  } finally {
    rmSync(made, { recursive: true });
  }
});

it('a folder that others can write to is not used, nor one that is a link', async () => {
  const open = packagesFolder();
  try {
    expect(await packagesOf(open, 'python')).toMatchObject({ installed: [{ name: 'tiny' }] });
    chmodSync(join(open, 'python'), 0o777);
    expect(await packagesOf(open, 'python')).toBe(null);
    expect(await packagesOf(join(open, 'nowhere'), 'python')).toBe(null);
  } finally {
    rmSync(open, { recursive: true });
  }
});

describe('the packages of npm run sandbox:packages', () => {
  const installed = process.env.RUNNER_PACKAGES ?? defaultPackagesFolder(process.getuid?.());
  let runner: RunnerProcess | string = '';
  beforeAll(async () => {
    if (existsSync(installed)) runner = await startRunner({ environment: { RUNNER_PACKAGES: installed } });
  });
  afterAll(async () => {
    if (typeof runner !== 'string') await runner.stop();
  });

  it('draw a figure with Korean text, without a warning, as a file of the result', async ({ skip }) => {
    if (typeof runner === 'string') return skip(runner || 'they are not installed here');
    const code = `
import pandas, matplotlib.pyplot as plt
pandas.Series(range(1000)).plot()
plt.title("약품비 합계 −1")
plt.show()`;
    const outcome = await runner.run({ language: 'python', code, files: [], timeoutSeconds: 60 });
    expect(outcome).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    expect(outcome).toMatchObject({ outputs: { files: [{ path: 'figure-1.png' }], skipped: [] } });
    const without = await runner.run({ language: 'python', code, timeoutSeconds: 60 });
    expect(without).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it.for([
    ...PYTHON_PROGRAMS.map((code) => ({ language: 'python', code }) as const),
    ...JAVASCRIPT_PROGRAMS.map((code) => ({ language: 'javascript', code }) as const),
  ])('do what they do under the bare interpreter: $code', async (program, { skip }) => {
    if (typeof runner === 'string') return skip(runner || 'they are not installed here');
    const environment = { PYTHONPATH: join(installed, 'python'), MPLBACKEND: 'agg', OMP_NUM_THREADS: '1' };
    const modules = join(installed, 'javascript', 'node_modules');
    const bare = await runBare(program, environment, modules);
    const resources = { ...DEFAULT_RESOURCES, memoryMb: 1024 };
    const run = await runner.run({ ...program, files: [], timeoutSeconds: 120, resources });
    expect(seenOf(run)).toEqual(bare);
  });
});
