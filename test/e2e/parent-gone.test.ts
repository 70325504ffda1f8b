import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { extractCall } from '../helpers/api.ts';
import { descendantsOf, listProcesses } from '../helpers/processes.ts';
import { execute } from '../helpers/sandbox.ts';
import { startServiceProcess } from '../helpers/service.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tripod-parent-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const alive = async (pids: readonly number[]) => (await listProcesses()).filter(({ pid }) => pids.includes(pid));

/** Starts the service as a person does. @returns the processes from npm down to the service. */
async function npmStart(): Promise<readonly [npm: number, shell: number, service: number]> {
  const npm = spawn('npm', ['start'], {
    env: { ...process.env, PORT: '0', TRIPOD_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for await (const line of createInterface(npm.stdout)) if (line.startsWith('Tripod is ready')) break;
  const { pid } = JSON.parse(await readFile(join(dataDir, 'service.json'), 'utf8')) as { pid: number };
  const all = await listProcesses();
  const parentOf = (child: number) => all.find((each) => each.pid === child)?.parent ?? 0;
  return [parentOf(parentOf(pid)), parentOf(pid), pid];
}

describe.runIf(process.platform === 'linux')('a service that npm started', () => {
  it.each(['npm', 'the shell between'] as const)('ends cleanly when %s is killed', async (which) => {
    const [npm, shell, service] = await npmStart();
    const children = (await descendantsOf(service)).map(({ pid }) => pid);
    process.kill(which === 'npm' ? npm : shell, 'SIGKILL');
    await expect.poll(() => alive([service, ...children]), { timeout: 30_000 }).toEqual([]);
    // It goes when a service ends cleanly, and stays when one is killed.
    await expect(readFile(join(dataDir, 'service.json'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe.runIf(process.platform === 'linux')('a service that is killed', () => {
  it('no process is left, even with busy readers and runners', async () => {
    const service = await startServiceProcess({ dataDir });
    const page = (await readFile(new URL('../fixtures/pages/photo-001.jpg', import.meta.url))).toString('base64');
    const read = () => extractCall(service, service, { image: page });
    const run = execute(service, { language: 'python', code: 'while True: pass', timeout: 60 });
    const unheard = Promise.allSettled([read(), read(), run]);
    const children = () => descendantsOf(service.pid);
    const commands = async () => (await children()).map(({ command }) => command).join('\n');
    await expect.poll(commands, { timeout: 60_000 }).toMatch(/reader-worker[\s\S]*python|python[\s\S]*reader-worker/);
    const pids = (await children()).map(({ pid }) => pid);
    await service.kill();
    await expect.poll(() => alive(pids), { timeout: 15_000 }).toEqual([]);
    await unheard;
  });
});
