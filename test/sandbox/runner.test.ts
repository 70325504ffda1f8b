import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLines } from '../helpers/command-lines.ts';
import { leftovers } from './leftovers.ts';
import { type RunnerProcess, startRunner } from './runner-process.ts';

let runner: RunnerProcess;
let cannot = '';

beforeAll(async () => {
  const started = await startRunner();
  if (typeof started === 'string') cannot = started;
  else runner = started;
});
afterAll(() => runner?.stop());

const sleeping = { language: 'bash', code: 'sleep 1002', stdin: '', environment: {}, timeoutSeconds: 100 } as const;
const body = { ...sleeping, resources: { cpu: 1, memoryMb: 512, diskMb: 100 } };

describe('the runner', () => {
  it('has an interpreter wait for the next program once a language has been used, for one program only', async ({
    skip,
  }) => {
    if (cannot !== '') skip(cannot);
    const launchers = () => childrenOf(runner.pid);
    const waiting = () => launchers().flatMap((launcher) => childrenOf(Number(launcher)));
    const code = 'console.log(process.pid)';
    const pids = new Set<string>();
    await runner.run({ language: 'javascript', code });
    for (let i = 0; i < 3; i += 1) {
      await until(() => waiting().length === 1);
      const [pid] = waiting();
      const outcome = await runner.run({ language: 'javascript', code });
      expect(outcome).toMatchObject({ stdout: `${pid}\n` });
      pids.add(String(pid));
    }
    expect(pids.size).toBe(3);
  });

  it('starts a new interpreter for a program that needs another one, or when the one that waited has died', async ({
    skip,
  }) => {
    if (cannot !== '') skip(cannot);
    const launchers = () => childrenOf(runner.pid);
    const waiting = () => launchers().flatMap((launcher) => childrenOf(Number(launcher)));
    const code = 'console.log(process.pid, process.env.NAME)';
    await until(() => waiting().length === 1);
    const [pid] = waiting();
    for (const run of [{ environment: { NAME: 'x' } }, { resources: { cpu: 1, memoryMb: 600, diskMb: 100 } }])
      expect(await runner.run({ language: 'javascript', code, ...run })).not.toMatchObject({
        stdout: expect.stringContaining(String(pid)),
      });
    const launcher = launchers().find((each) => childrenOf(Number(each)).includes(String(pid)));
    process.kill(Number(pid), 'SIGKILL');
    // The runner knows it when the launcher has ended too.
    await until(() => !launchers().includes(launcher!));
    expect(await runner.run({ language: 'javascript', code })).toMatchObject({ exitCode: 0 });
  });

  it('does one run at a time, and ends the run of a caller who hangs up', async ({ skip }) => {
    if (cannot !== '') skip(cannot);
    const hangUp = new AbortController();
    const first = runner.request('POST', '/runs', { body, signal: hangUp.signal });
    first.catch(() => undefined);
    await until(() => commandLines().includes('sleep 1002'));
    expect((await runner.request('POST', '/runs', { body })).status).toBe(409);
    hangUp.abort();
    await expect(first).rejects.toThrow();
    expect(await runner.run({ language: 'bash', code: 'echo next' })).toMatchObject({ stdout: 'next\n' });
    expect(commandLines()).not.toContain('sleep 1002');
  });

  it('a runner refuses a wrong token, a wrong run, an unknown path', async ({ skip }) => {
    if (cannot !== '') skip(cannot);
    const status = async (...parameters: Parameters<RunnerProcess['request']>) =>
      (await runner.request(...parameters)).status;
    expect(await status('POST', '/runs', { body, token: 'guessed' })).toBe(401);
    expect(await status('POST', '/runs', { body: { ...body, timeoutSeconds: 301 } })).toBe(400);
    expect(await status('POST', '/runs', { body: { ...body, language: 'perl' } })).toBe(400);
    expect(await status('GET', '/elsewhere')).toBe(404);
  });

  it('takes every process of its run with it when it is killed', async ({ skip }) => {
    if (cannot !== '') skip(cannot);
    const doomed = await startRunner();
    if (typeof doomed === 'string') throw new Error(doomed);
    doomed
      .request('POST', '/runs', { body: { ...body, code: 'setsid sleep 1001 & sleep 1001' } })
      .catch(() => undefined);
    const sleepers = () => commandLines().filter((line) => line === 'sleep 1001');
    await until(() => sleepers().length === 2);
    await doomed.stop('SIGKILL');
    await until(() => sleepers().length === 0);
  });

  it('stays the same over many runs', async ({ skip }) => {
    if (cannot !== '') skip(cannot);
    const before = leftovers(runner).descriptors;
    for (let i = 0; i < 200; i += 1)
      expect(await runner.run({ language: 'bash', code: `echo ${i}` })).toMatchObject({
        stdout: `${i}\n`,
        exitCode: 0,
      });
    // One of a connection, and those of an interpreter that has started to wait meanwhile.
    expect(leftovers(runner).descriptors).toBeLessThanOrEqual(before + 6);
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(20);
}

function childrenOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
}
