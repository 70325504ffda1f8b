import { rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputFiles, RunOutcome } from '../../../functions/sandbox/domain/run.ts';
import { ORDINARY_USER } from '../../helpers/go-library.ts';
import { notInstalled, type RunnerProcess, type RunnerProcessOptions, startRunner } from '../runner-process.ts';
import { DOCKER } from './docker-setting.ts';
import { isRoot } from './kept-in.ts';

const SECRET = '/var/tmp/left-files-test-secret';
const base64 = (text: string) => Buffer.from(text).toString('base64');

function outputsOf(outcome: RunOutcome): { names: string[]; reasons: Record<string, string>; texts: string } {
  if (outcome.kind === 'invalid_syntax' || outcome.outputs === undefined) throw new Error(JSON.stringify(outcome));
  const { files, skipped }: OutputFiles = outcome.outputs;
  return {
    names: files.map(({ path }) => path),
    reasons: Object.fromEntries(skipped.map(({ path, reason }) => [path, reason])),
    texts: files.map(({ base64: content = '' }) => Buffer.from(content, 'base64').toString()).join('\n'),
  };
}

const SETTINGS: readonly { name: string; options: RunnerProcessOptions; asRoot: boolean }[] = [
  { name: 'as root', options: {}, asRoot: true },
  { name: 'with Docker’s capabilities', options: DOCKER, asRoot: true },
  {
    name: 'as root without a file system for each run',
    options: { environment: { RUNNER_OWN_FILES: '0' } },
    asRoot: true,
  },
  { name: 'as an ordinary user', options: isRoot ? { uid: ORDINARY_USER } : {}, asRoot: false },
  {
    name: 'as an ordinary user without a file system for each run',
    options: { ...(isRoot && { uid: ORDINARY_USER }), environment: { RUNNER_OWN_FILES: '0' } },
    asRoot: false,
  },
];

for (const { name: setting, options, asRoot } of SETTINGS)
  describe(`files of programs, ${setting}`, () => {
    let runner: RunnerProcess;
    let cannot = asRoot && !isRoot ? 'this is not root' : '';

    beforeAll(async () => {
      if (cannot !== '') return;
      writeFileSync(SECRET, 'a secret of the operator', { mode: 0o600 });
      const started = await startRunner(options);
      if (typeof started === 'string') cannot = started;
      else runner = started;
    });
    afterAll(() => runner?.stop());

    const python = (code: string, rest: object = {}) => ({ language: 'python' as const, code, files: [], ...rest });

    it('lock system files for no longer than their program runs, its children included', async ({ skip }) => {
      if (cannot !== '') skip(cannot);
      if (!runner.languages.has('python')) notInstalled('python', skip);
      const lock = `
import fcntl, os, sys
held = [open(path) for path in ("/etc/passwd", "/usr/bin/env")]
for file in held: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
print("locked", flush=True)
`;
      const left = `${lock}
import time
if os.fork() == 0:
    os.setsid()
    time.sleep(600)
`;
      for (const code of [left, lock])
        expect(await runner.run(python(code))).toMatchObject({ kind: 'finished', stdout: 'locked\n', exitCode: 0 });
    });

    it('come in by their paths, and go out from below out/', async ({ skip }) => {
      if (cannot !== '') skip(cannot);
      if (!runner.languages.has('python')) notInstalled('python', skip);
      const code = `
import os, util
text = open("data/in.csv").read()
open("data/in.csv", "a").write("more")
os.makedirs("out/a/b")
open("out/a/b/c.txt", "w").write(text + util.word)
open("elsewhere.txt", "w").write("no")`;
      const files = [
        { path: 'data/in.csv', base64: base64('1,2;') },
        { path: 'util.py', base64: base64('word = "util"') },
      ];
      // A pre-started interpreter, and one that is not.
      for (const rest of [{}, { arguments: ['x'] }]) {
        const { names, reasons, texts } = outputsOf(await runner.run(python(code, { files, ...rest })));
        expect({ names, reasons, texts }).toEqual({ names: ['a/b/c.txt'], reasons: {}, texts: '1,2;util' });
      }
    });

    it('are plain files alone: links, pipes, sparse giants and names in no encoding are left out with a reason', async ({
      skip,
    }) => {
      if (cannot !== '') skip(cannot);
      if (!runner.languages.has('python')) notInstalled('python', skip);
      const code = `
import os
os.symlink("${SECRET}", "out/secret")
os.symlink("/etc", "out/etc")
os.symlink("..", "out/up")
os.mkfifo("out/pipe")
with open("out/sparse", "w") as f: f.truncate(90 << 20)
open(b"out/\\xff\\xfe", "w").write("x")
os.makedirs("out/" + "/".join("d" * 12)); open("out/" + "/".join("d" * 12) + "/deep", "w").write("x")
for target in ("/etc/shadow", "/etc/passwd", "${SECRET}"):
    try: os.link(target, "out/hard-" + os.path.basename(target))
    except OSError: pass
try: os.mknod("out/device", 0o20666, os.makedev(1, 1))
except OSError: pass
open("out/closed", "w").write("mine")
try: os.chmod("out/closed", 0)
except OSError: pass
open("out/good", "w").write("good")`;
      const { names, reasons, texts } = outputsOf(await runner.run(python(code)));
      expect(names).toContain('good');
      expect(texts).not.toContain('a secret of the operator');
      expect(texts).not.toContain('root:');
      expect(reasons).toMatchObject({
        secret: expect.stringContaining('not a plain file'),
        etc: expect.stringContaining('not a plain file'),
        up: expect.stringContaining('not a plain file'),
        pipe: expect.stringContaining('not a plain file'),
        sparse: expect.stringContaining('larger than'),
        '\ufffd\ufffd': expect.stringContaining('UTF-8'),
      });
      expect(Object.values(reasons)).toContainEqual(expect.stringContaining('too many directories deep'));
      expect(reasons).not.toHaveProperty('good');
    });

    it('no files are left when out/ has become a link, and at most twenty of three hundred', async ({ skip }) => {
      if (cannot !== '') skip(cannot);
      if (!runner.languages.has('python')) notInstalled('python', skip);
      const linked = await runner.run(python('import os; os.rmdir("out"); os.symlink("/etc", "out")'));
      expect(outputsOf(linked)).toMatchObject({ names: [], texts: '' });
      const many = await runner.run(python('for i in range(300): open(f"out/{i}", "w").close()'));
      const { names, reasons } = outputsOf(many);
      expect([names.length, Object.keys(reasons).length]).toEqual([20, 20]);
    });

    it('that are replaced while the program is ended do not lead out', async ({ skip }) => {
      if (cannot !== '') skip(cannot);
      if (!runner.languages.has('python')) notInstalled('python', skip);
      const code = `
import os, threading
os.mkdir("out/d"); os.mkdir("safe"); open("safe/shadow", "w").write("safe"); open("safe/left-files-test-secret", "w").write("safe")
def swap(target):
    while True:
        try:
            os.rename("out/d", "out/e"); os.symlink(target, "out/d"); os.unlink("out/d"); os.rename("out/e", "out/d")
        except OSError: pass
for target in ("/etc", "/var/tmp"): threading.Thread(target=swap, args=(target,)).start()`;
      const outcome = await runner.run(python(code, { timeoutSeconds: 1 }));
      expect(outcome.kind).toBe('timed_out');
      expect(outputsOf(outcome).texts).not.toMatch(/a secret|root:/);
    });

    it("no file may be put outside the directory of the run, at any caller's request", async ({ skip }) => {
      if (cannot !== '') skip(cannot);
      for (const path of ['../up', '/etc/x', 'a/../../b', 'a//b', './a', ''])
        await expect(runner.run(python('0', { files: [{ path, base64: '' }] }))).rejects.toThrow(/^400/);
    });
  });

afterAll(() => rmSync(SECRET, { force: true }));
