import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  DEFAULT_RESOURCES,
  keptSessionKey,
  type LanguageName,
  type RunOutcome,
} from '../../../functions/sandbox/domain/run.ts';
import { commandLines } from '../../helpers/command-lines.ts';
import { ORDINARY_USER } from '../../helpers/go-library.ts';
import { leftovers } from '../leftovers.ts';
import { notInstalled, type RunnerProcess, type RunnerProcessOptions, startRunner } from '../runner-process.ts';
import { DOCKER } from './docker-setting.ts';
import { hostileSnippets } from './hostile-snippets.ts';
import { isRoot } from './kept-in.ts';

type Finished = RunOutcome & { readonly kind: 'finished' };

const SETTINGS: readonly { name: string; options: RunnerProcessOptions; asRoot: boolean }[] = [
  { name: 'as root', options: {}, asRoot: true },
  { name: 'as root without Landlock', options: { environment: { RUNNER_LANDLOCK: '0' } }, asRoot: true },
  { name: 'as an ordinary user', options: isRoot ? { uid: ORDINARY_USER } : {}, asRoot: false },
];

for (const { name: setting, options, asRoot } of SETTINGS)
  describe(`kept sessions, ${setting}`, () => {
    let runner: RunnerProcess;
    let cannot = asRoot && !isRoot ? 'this is not root' : '';
    let session = 0;

    beforeAll(async () => {
      if (cannot !== '') return;
      const started = await startRunner(options);
      if (typeof started === 'string') cannot = started;
      else runner = started;
    });
    afterAll(() => runner?.stop());

    const headersOf = (language: LanguageName, workspace: string) => ({
      'x-kept-session': encodeURIComponent(keptSessionKey({ language, keptSession: String(session) })),
      'x-workspace-id': workspace,
    });
    const request = (code: string, language: LanguageName = 'python', rest: object = {}, workspace = 'ws_test') =>
      runner.request('POST', '/runs', {
        headers: headersOf(language, workspace),
        body: {
          ...{ language, code, stdin: '', environment: {}, timeoutSeconds: 30, resources: DEFAULT_RESOURCES },
          ...{ keptSession: String(session), ...rest },
        },
      });
    const call = async (...of: Parameters<typeof request>): Promise<Finished> =>
      (await (await request(...of)).json()) as Finished;
    const end = (language: LanguageName = 'python') =>
      runner.request('DELETE', '/session', { headers: headersOf(language, 'ws_test') });
    const opened = (skip: (note: string) => never, language: LanguageName = 'python') => {
      if (cannot !== '') skip(cannot);
      if (!runner.languages.has(language)) notInstalled(language, skip);
      session += 1;
    };

    it('stand still between calls, with all that they have started', async ({ skip }) => {
      opened(skip);
      const code = `
import os, subprocess, threading
def count(path):
    n = 0
    while True:
        n += 1
        open(path, "w").write(str(n))
for i in range(2): threading.Thread(target=count, args=(f"t{i}",), daemon=True).start()
if os.fork() == 0: count("fork")
child = subprocess.Popen(["bash", "-c", "n=0; while true; do n=$((n+1)); echo $n >shell; done"])
import time; time.sleep(0.3)
def counts(): return [int(open(name).read() or 0) for name in ("t0", "t1", "fork", "shell")]`;
      expect(await call(code)).toMatchObject({ exitCode: 0, session: { isNew: true, isKept: true } });
      const before = await call('import time\nstarted = time.monotonic(), time.process_time(); started');
      await sleep(500);
      const after = await call('time.monotonic() - started[0], time.process_time() - started[1]');
      const [wall = 0, cpu = 1] = JSON.parse(after.value!.replace('(', '[').replace(')', ']')) as number[];
      expect(before.exitCode).toBe(0);
      expect(cpu).toBeLessThan(wall / 2);
      expect((await end()).status).toBe(200);
      expect(commandLines().filter((line) => line.includes('while true; do n=$((n+1))'))).toEqual([]);
    });

    it('are halted again between calls when something resumes them, and end when they compute', async ({ skip }) => {
      opened(skip);
      const code = `
import os, threading, time
def compute():
    while True: pass
threading.Thread(target=compute, daemon=True).start()
os.getpid()`;
      const pid = Number((await call(code)).value);
      const stateOf = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0];
      await expect.poll(stateOf).toBe('T');
      process.kill(pid, 'SIGCONT');
      await expect.poll(stateOf, { timeout: 5_000 }).toBe('T');
      // A frozen group lets nothing compute; elsewhere the session ends.
      const before = await call('started = time.process_time()');
      expect(before.session).toEqual({ isNew: false, isKept: true });
      for (let i = 0; i < 2_000 && existsSync(`/proc/${pid}`); i += 1) {
        try {
          process.kill(pid, 'SIGCONT');
        } catch {}
        await sleep(2);
      }
      const isThere = existsSync(`/proc/${pid}`);
      for (let i = 0; !isThere && i < 250 && runner.runDirectories().length > 0; i += 1) await sleep(20);
      const next = await call('__import__("time").process_time() - globals().get("started", 0)');
      if (isThere) expect(Number(next.value)).toBeLessThan(0.2);
      else expect(next.session?.isNew).toBe(true);
      await end();
    });

    it('kept sessions are reached only by their workspace, and not from another session', async ({ skip }) => {
      opened(skip);
      await call('secret = 1');
      const status = async (answer: Promise<Response>) => (await answer).status;
      expect(await status(request('secret', 'python', {}, 'ws_other'))).toBe(409);
      expect(await status(request('1', 'python', { keptSession: 'another' }))).toBe(400);
      const body = {
        language: 'python',
        code: '1',
        stdin: '',
        environment: {},
        timeoutSeconds: 9,
        resources: DEFAULT_RESOURCES,
      };
      expect(await status(runner.request('POST', '/runs', { body }))).toBe(409);
      const foreign = { headers: headersOf('python', 'ws_other') };
      expect(await status(runner.request('DELETE', '/session', foreign))).toBe(404);
      expect(await call('secret')).toMatchObject({ value: '1' });
      await end();
    });

    it('kept sessions deceive only their owner about the ends of calls', async ({ skip }) => {
      opened(skip);
      const forge = `
import sys, os
frame = sys._getframe()
while frame.f_code.co_name != "_serve": frame = frame.f_back
mark = frame.f_locals["message"]["mark"]
os.write(2, f"\\0{mark}:\\0".encode())
os.write(1, f"\\0{mark}:".encode() + b'{"exitCode": "x", "value": ["no text"], "session": {"isNew": 5}}\\0')
os.write(1, b"\\0" * 100000)`;
      const forged = await call(forge);
      expect(forged).toMatchObject({ kind: 'finished', exitCode: 1, session: { isNew: true } });
      expect(forged).not.toHaveProperty('value');
      await end();
      session += 1;
      const endless = forge.replace('{"exitCode"', '{"exitCode').replace("\\0')", `' + b"x" * (3 << 20))`);
      expect(await call(endless)).toMatchObject({ kind: 'finished', session: { isKept: false } });
      session += 1;
      // Without its outputs no end can come, and time runs out.
      expect(await call('import os\nos.closerange(0, 100)', 'python', { timeoutSeconds: 1 })).toMatchObject({
        session: { isKept: false },
      });
    });

    it('the runner replaces no file of a session: only the session itself follows links in place of its inputs', async ({
      skip,
    }) => {
      opened(skip);
      const target = '/etc/left-by-a-kept-session';
      await call(`import os\nos.symlink("${target}", "in.txt")\nos.mkdir("x"); os.rmdir("x"); os.symlink("/etc", "x")`);
      const files = [{ path: 'in.txt', base64: 'eA==' }];
      const written = await call('1', 'python', { files });
      const below = await call('1', 'python', { files: [{ path: 'x/left-by-a-kept-session', base64: 'eA==' }] });
      for (const { stderr } of [written, below]) expect(stderr).toMatch(/PermissionError|OSError|FileNotFoundError/);
      expect(await call(`os.path.exists("${target}")`)).toMatchObject({ value: 'False' });
      await call('os.rmdir("out")\nos.symlink("/etc", "out")');
      const linked = await call('1', 'python', { files: [] });
      expect(linked.outputs ?? { files: [] }).toMatchObject({ files: [] });
      await end();
    });

    it('are held to memory and disk over all of their calls', async ({ skip }) => {
      opened(skip);
      const fill = 'open(f"f{len(os.listdir())}", "w").write("x" * (30 << 20))';
      await call('import os');
      let last: Finished | null = null;
      for (let i = 0; i < 6 && last?.session?.isKept !== false; i += 1)
        last = await call(`${fill}\nimport time; time.sleep(0.3)`);
      expect(last?.stderr).toMatch(/out of disk space|No space left/);
      await end();
      session += 1;
      await call('held = []');
      let grown: Finished | null = null;
      for (let i = 0; i < 8 && grown?.session?.isKept !== false && grown?.exitCode !== 1; i += 1)
        grown = await call('held.append(b"x" * (100 << 20))\nimport time; time.sleep(0.3)');
      expect(grown?.stderr).toMatch(/out of memory|MemoryError/);
      await end();
    });

    it('keep hostile programs in', async ({ skip }) => {
      opened(skip);
      const snippets = hostileSnippets.filter(({ language, only }) => language === 'python' && only === undefined);
      expect(snippets.length).toBeGreaterThan(10);
      for (const { code, name } of snippets) {
        const outcome = await call(code, 'python', { timeoutSeconds: 60 });
        expect(JSON.stringify(outcome), name).not.toContain('ESCAPED');
        expect(JSON.stringify(outcome), name).toContain('kept in:');
      }
      await end();
    });

    it('leave nothing behind when they have ended', async ({ skip }) => {
      opened(skip, 'javascript');
      await call('require("child_process").spawn("sleep", ["1005"]).unref(); 1', 'javascript', { timeoutSeconds: 2 });
      await end('javascript');
      for (let i = 0; i < 100 && runner.runDirectories().length > 0; i += 1) await sleep(20);
      expect(commandLines()).not.toContain('sleep 1005');
      expect(leftovers(runner).processes ?? []).toEqual([]);
    });
  });

it('sessions are not kept where nothing keeps runs of other runners apart', async ({ skip }) => {
  if (!isRoot) skip('this is not root');
  const runner = await startRunner(DOCKER);
  if (typeof runner === 'string') return skip(runner);
  try {
    const answer = await runner.request('POST', '/runs', { headers: { 'x-kept-session': 'python%2Fs' }, body: {} });
    expect([answer.status, await answer.json()]).toEqual([409, expect.objectContaining({ reason: 'no_sessions' })]);
  } finally {
    await runner.stop();
  }
});
