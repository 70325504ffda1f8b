import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServiceProcess } from '../helpers/service.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tripod-invoke-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

function invoke(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, TRIPOD_DATA_DIR: join(directory, 'data') };
    execFile(process.execPath, ['bin/invoke.ts', ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

it('runs a handler on its own, on a fresh data directory', async () => {
  const { code, stdout } = await invoke('accounts.get-balance');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^200\n/);
  expect(stdout).toContain('"balanceKrw": 10000');
});

it('runs a handler on the data of a service that is running', async () => {
  const service = await startServiceProcess({ dataDir: join(directory, 'data') });
  const { code, stdout } = await invoke('accounts.get-balance');
  await service.stop();
  expect(code).toBe(0);
  expect(stdout).toContain('"balanceKrw": 10000');
});

it('runs a handler on another event, without the key where the event has none', async () => {
  const file = join(directory, 'no-key.json');
  await writeFile(
    file,
    JSON.stringify({ httpMethod: 'GET', path: '/api/v1/balance', headers: {}, multiValueHeaders: {} }),
  );
  const { code, stdout } = await invoke('accounts.get-balance', file);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^401\n/);
});

it.each([
  ['an unknown route', ['accounts.nope'], /There is no route accounts\.nope\. The routes are:\n {2}system\.get-health/],
  ['a missing event', ['accounts.get-balance', 'events/nope.json'], /The event events\/nope\.json cannot be read/],
  ['no route', [], /^Usage: npm run invoke/],
])('invoke reports %s', async (_, args, message) => {
  const { code, stderr } = await invoke(...args);
  expect(code).toBe(1);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('    at ');
});
