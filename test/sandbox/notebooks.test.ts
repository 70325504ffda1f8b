import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  DEFAULT_RESOURCES,
  keptSessionKey,
  type LanguageName,
  type RunOutcome,
} from '../../functions/sandbox/domain/run.ts';
import { filesOf } from '../../sandbox/runner/group-facts.ts';
import { defaultPackagesFolder, packagesOf } from '../../sandbox/runner/packages.ts';
import { ORDINARY_USER } from '../helpers/go-library.ts';
import { isRoot } from './hostile/kept-in.ts';
import { notInstalled, type RunnerProcess, type RunnerProcessOptions, startRunner } from './runner-process.ts';

/** Kept sessions behave as cells of a notebook do. */

const SETTINGS: readonly { name: string; options: RunnerProcessOptions; asRoot: boolean }[] = [
  { name: 'as root', options: {}, asRoot: true },
  { name: 'as an ordinary user', options: isRoot ? { uid: ORDINARY_USER } : {}, asRoot: false },
];

const packages = process.env.RUNNER_PACKAGES ?? defaultPackagesFolder(process.getuid?.());

for (const { name: setting, options, asRoot } of SETTINGS)
  describe(`a notebook, ${setting}`, () => {
    let runner: RunnerProcess;
    let cannot = asRoot && !isRoot ? 'this is not root' : '';
    beforeAll(async () => {
      if (cannot !== '') return;
      const started = await startRunner({ ...options, environment: { RUNNER_PACKAGES: packages } });
      if (typeof started === 'string') cannot = started;
      else runner = started;
    });
    afterAll(() => runner?.stop());

    let opened: LanguageName = 'python';
    const headers = () => ({
      'x-kept-session': encodeURIComponent(keptSessionKey({ language: opened, keptSession: 'notebook' })),
      'x-workspace-id': 'ws_test',
    });
    const open = (skip: (note: string) => never, language: LanguageName) => {
      if (cannot !== '') skip(cannot);
      if (!runner.languages.has(language)) notInstalled(language, skip);
      opened = language;
    };
    afterEach(async () => {
      if (cannot === '') await runner.request('DELETE', '/session', { headers: headers() });
    });
    const cell = async (code: string, rest: object = {}): Promise<RunOutcome> => {
      const response = await runner.request('POST', '/runs', {
        headers: headers(),
        body: {
          language: opened,
          code,
          stdin: '',
          environment: {},
          timeoutSeconds: 60,
          resources: { ...DEFAULT_RESOURCES, memoryMb: 1024 },
          keptSession: 'notebook',
          ...rest,
        },
      });
      return (await response.json()) as RunOutcome;
    };
    const shown = async (code: string, rest: object = {}) => {
      const outcome = await cell(code, rest);
      if (outcome.kind !== 'finished' || outcome.exitCode !== 0) throw new Error(JSON.stringify(outcome));
      return outcome.value;
    };
    const KEPT = { session: { isNew: false, isKept: true } };

    it('awaits at the top level of Python, and keeps what it declares', async ({ skip }) => {
      open(skip, 'python');
      const code = 'import asyncio\nawait asyncio.sleep(0.001)\nx = 1\nasync def two(): return 2\nawait two()';
      expect(await shown(code)).toBe('2');
      expect(await shown('async with asyncio.timeout(9): y = x + await two()\ny')).toBe('3');
      expect(await shown('asyncio.run(two()) + y')).toBe('5');
    });

    it('finds no internals of Node, also in threads and children', async ({ skip }) => {
      open(skip, 'javascript');
      const code = `const found = [];
const attempts = {
  require: () => require('internal/timers'),
  scheme: () => require('node:internal/timers'),
  import: () => import('internal/timers'),
  created: () => require('node:module').createRequire(process.cwd() + '/x.js')('internal/timers'),
  loaded: () => require('node:module')._load('internal/timers'),
  builtin: () => process.getBuiltinModule('internal/timers') ?? Promise.reject(new Error('none')),
  binding: () => process.binding('timers'),
  child: () => require('node:child_process').execFileSync(process.execPath, [...process.execArgv, '-e', 'require("internal/timers")'], { stdio: 'ignore' }),
  thread: () => new Promise((done, failed) => new (require('node:worker_threads').Worker)('require("internal/timers")', { eval: true }).on('error', failed).on('exit', done)),
};
for (const [name, attempt] of Object.entries(attempts)) try { await attempt(); found.push(name); } catch {}
found.join()`;
      expect(await shown(code)).toBe("''");
      expect(
        await shown("[typeof require('timers').setTimeout, typeof process.getBuiltinModule('fs').readFileSync]"),
      ).toBe("[ 'function', 'function' ]");
    });

    it('names a remedy for a notebook’s commands', async ({ skip }) => {
      open(skip, 'python');
      expect(await cell('!ls -l')).toMatchObject({
        kind: 'invalid_syntax',
        message: expect.stringMatching(
          /SyntaxError[\s\S]*!ls -l is a command of notebooks, not of Python: .*subprocess/,
        ),
      });
      expect(await cell('x = 1\n%pip install pandas')).toMatchObject({
        message: expect.stringContaining('packages cannot be installed by programs'),
      });
      expect(await cell('x = (1 +\n  % 2')).toMatchObject({ message: expect.not.stringContaining('packages') });
    });

    it('interrupts Python whose time is over, and keeps its variables', async ({ skip }) => {
      open(skip, 'python');
      await cell('import asyncio, subprocess, time\nbefore = 1');
      const endless = [
        'while True: pass',
        'time.sleep(99)',
        'await asyncio.sleep(99)',
        'subprocess.run(["sleep", "99"])',
      ];
      for (const [index, code] of endless.entries()) {
        const outcome = await cell(`late_${index} = 1\nprint("so far")\n${code}`, { timeoutSeconds: 1 });
        expect(outcome, code).toMatchObject({ kind: 'timed_out', stdout: 'so far\n', ...KEPT });
        expect((outcome as { stderr: string }).stderr, code).toContain('Timeout: the time of this call is over\n');
        expect(await shown(`before + late_${index}`), code).toBe('2');
      }
      expect(await shown('await asyncio.sleep(0, "later")')).toBe("'later'");
    });

    it('ends a session that ignores its interruption', async ({ skip }) => {
      open(skip, 'python');
      const deaf = 'import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])\nwhile True: pass';
      expect(await cell(deaf, { timeoutSeconds: 1 })).toMatchObject({ kind: 'timed_out', session: { isKept: false } });
    });

    it('interrupts JavaScript whose time is over, and keeps its variables', async ({ skip }) => {
      open(skip, 'javascript');
      await cell('var before = 1');
      const endless = [
        'while (true) {}',
        'await new Promise((resolve) => setTimeout(resolve, 99_000)); before = 5',
        'setInterval(() => undefined, 100)',
        'require("child_process").spawn("sleep", ["99"]); 1',
      ];
      for (const code of endless) {
        const outcome = await cell(`console.log("so far"); ${code}`, { timeoutSeconds: 1 });
        expect(outcome, code).toMatchObject({ kind: 'timed_out', stdout: 'so far\n', ...KEPT });
        expect(await shown('before'), code).toBe('1');
      }
    });

    it('imports modules in JavaScript, and keeps what they are called', async ({ skip }) => {
      open(skip, 'javascript');
      const code = `import fs from 'node:fs';
import { join as joined, dirname } from 'node:path';
import * as os from 'node:os';
const text = \`
import x from "y"
\`;
joined('a', 'b')`;
      expect(await shown(code)).toBe("'a/b'");
      expect(await shown('[typeof fs.readFileSync, dirname("q/r"), typeof os.cpus, text.trim()]')).toBe(
        `[ 'function', 'q', 'function', 'import x from "y"' ]`,
      );
      const files = [
        { path: 'own.mjs', base64: Buffer.from('export const own = 7; export default 8').toString('base64') },
        { path: 'own.json', base64: Buffer.from('{"k":9}').toString('base64') },
      ];
      const own = 'import eight, { own } from "./own.mjs"; import nine from "./own.json" with { type: "json" };';
      expect(await shown(`${own} own + eight + nine.k`, { files })).toBe('24');
      expect(
        await shown('const { basename } = await import("node:path"); class K { static n = 1 }; basename("/x/y")'),
      ).toBe("'y'");
      expect(await shown('basename("/x/z") + K.n')).toBe("'z1'");
      expect(await cell('import x from "nowhere"')).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(/Cannot find package 'nowhere'[\s\S]*nowhere is not installed here/),
      });
      expect(await cell('import x from')).toMatchObject({ kind: 'invalid_syntax' });
    });

    for (const language of ['python', 'javascript'] as const) {
      const write = (path: string) =>
        language === 'python' ? `open("${path}", "w").write("x")` : `require("fs").writeFileSync("${path}", "x")`;
      const go = (path: string) => (language === 'python' ? `os.chdir("${path}")` : `process.chdir("${path}")`);
      const setUp = language === 'python' ? 'import os; os.mkdir("below")' : 'require("fs").mkdirSync("below")';

      it(`collects files of ${language} in any directory that it has entered`, async ({ skip }) => {
        open(skip, language);
        const input = { path: 'in.txt', base64: 'eA==' };
        await cell(`${setUp}; ${go('below')}`);
        const read = language === 'python' ? 'open("in.txt").read()' : 'require("fs").readFileSync("in.txt", "utf8")';
        const below = await cell(`${write('out/a.txt')}; ${read}`, { files: [input] });
        expect(below).toMatchObject({ value: "'x'", outputs: { files: [{ path: 'a.txt' }] } });
        await cell(go('/'));
        expect(await cell(write('out/b.txt'), { files: [] })).toMatchObject({
          outputs: { files: [{ path: 'b.txt' }] },
        });
        // It follows no link to other places.
        await cell(
          language === 'python' ? 'os.symlink("/etc", "out/etc")' : 'require("fs").symlinkSync("/etc", "out/etc")',
        );
        expect(await cell('1', { files: [] })).toMatchObject({ outputs: { files: [] } });
      });

      it(`has its environment for one call of ${language}`, async ({ skip }) => {
        open(skip, language);
        const read =
          language === 'python' ? '__import__("os").environ.get("WORD", "none")' : 'process.env.WORD ?? "none"';
        expect(await shown(read, { environment: { WORD: 'one' } })).toBe("'one'");
        expect(await shown(read)).toBe("'none'");
        const change = language === 'python' ? '__import__("os").environ["WORD"] = "own"' : 'process.env.WORD = "own"';
        await cell(`${change}; 1`, { environment: { WORD: 'two' } });
        expect(await shown(read)).toBe("'own'");
      });
    }

    const withPackages = async (skip: (note: string) => never) => {
      open(skip, 'python');
      if ((await packagesOf(packages, 'python')) === null) skip('npm run sandbox:packages has not been run');
    };

    it('shows a DataFrame as text, HTML and a table with a limit', async ({ skip }) => {
      await withPackages(skip);
      const made =
        'pd.DataFrame({"이름": ["가", None], "n": [1.5, float("nan")], "day": pd.to_datetime(["2026-01-02", None])})';
      const frame = await cell(`import pandas as pd\n${made}`);
      expect(frame).toMatchObject({
        value: expect.stringContaining('이름'),
        html: expect.stringMatching(/<table[\s\S]*<td>가<\/td>/),
        table: {
          columns: ['이름', 'n', 'day'],
          rows: [
            ['가', 1.5, expect.stringMatching(/^2026-01-02/)],
            [null, null, null],
          ],
          rowCount: 2,
          columnCount: 3,
        },
      });
      const large = await cell('pd.DataFrame({f"c{i}": ["가" * 2000] * 300 for i in range(60)})');
      const { table, html } = large as RunOutcome & { kind: 'finished' };
      expect(table).toMatchObject({ rowCount: 300, columnCount: 60 });
      expect(table!.columns).toHaveLength(50);
      expect(Buffer.byteLength(JSON.stringify(table))).toBeLessThan(70_000);
      expect((html ?? '').length).toBeLessThanOrEqual(65_536);
      expect(await cell('pd.Series([1, 2], index=["a", "b"], name="s")')).toMatchObject({
        table: {
          columns: ['index', 's'],
          rows: [
            ['a', 1],
            ['b', 2],
          ],
        },
      });
      expect(await cell('import polars; polars.DataFrame({"a": [[1], [2]]})')).toMatchObject({
        html: expect.stringContaining('<table'),
        table: { columns: ['a'], rows: [['[1]'], ['[2]']] },
      });
      expect(await cell('[1]')).not.toHaveProperty('table');
    });

    it('shows figures without being asked for files, in every script that packages have glyphs of', async ({
      skip,
    }) => {
      await withPackages(skip);
      const draw = 'plt.plot([1, 2]); plt.title("약품 漢字 ひらがな 龍龜"); plt.show()';
      const first = await cell(`import matplotlib.pyplot as plt; ${draw}`);
      expect(first).toMatchObject({ exitCode: 0, stderr: '', outputs: { files: [{ path: 'figure-1.png' }] } });
      expect(await cell('1')).not.toHaveProperty('outputs');
      const second = await cell(`import os; os.mkdir("else"); os.chdir("else"); ${draw}`);
      expect(second).toMatchObject({ exitCode: 0, stderr: '', outputs: { files: [{ path: 'figure-2.png' }] } });
    });
  });

it('limits of control groups are found by the membership of both versions', () => {
  expect(filesOf('4:memory:/a/b\n3:cpu,cpuacct:/\n1:name=systemd:/x\n0::/user.slice\n')).toEqual([
    '/sys/fs/cgroup/memory/memory.limit_in_bytes',
    '/sys/fs/cgroup/memory/a/b/memory.limit_in_bytes',
    '/sys/fs/cgroup/cpu/cpu.cfs_quota_us',
    '/sys/fs/cgroup/cpu/cpu.cfs_period_us',
    '/sys/fs/cgroup/cpu/cpu.cfs_quota_us',
    '/sys/fs/cgroup/cpu/cpu.cfs_period_us',
    '/sys/fs/cgroup/user.slice/cpu.max',
    '/sys/fs/cgroup/user.slice/memory.max',
  ]);
});
