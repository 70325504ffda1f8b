import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { DOCKER } from './hostile/docker-setting.ts';
import { type RunnerProcess, type RunnerProcessOptions, startRunner } from './runner-process.ts';

const isRoot = process.getuid?.() === 0;
const runners: RunnerProcess[] = [];

afterEach(() => Promise.all(runners.splice(0).map((runner) => runner.stop())));

async function started(options: RunnerProcessOptions): Promise<RunnerProcess> {
  const runner = await startRunner({ ...options, environment: { RUNNER_PREWARM: 'none', ...options.environment } });
  if (typeof runner === 'string') throw new Error(runner);
  runners.push(runner);
  return runner;
}

/** Places above a program where Node looks for modules, and a file that many would write to. */
const PLANT = `
const fs = process.getBuiltinModule('fs');
process.umask(0);
for (const place of ['/tmp', '/var/tmp', '..', '../..']) try {
  fs.mkdirSync(place + '/node_modules/planted-by-another', { recursive: true });
  fs.writeFileSync(place + '/node_modules/planted-by-another/index.js', 'console.log("code of another")');
  fs.writeFileSync(place + '/package.json', 'no JSON');
  fs.writeFileSync(place + '/out.csv', 'data of another');
} catch {}
console.log('planted');
`;
const LOOK = `
const fs = require('fs');
try { require('planted-by-another'); } catch (error) { console.log(error.code); }
for (const name of ['/tmp/out.csv', '/var/tmp/out.csv', '../out.csv'])
  console.log(fs.existsSync(name) ? fs.readFileSync(name, 'utf8') : 'nothing');
fs.writeFileSync('/tmp/mine', 'x');
`;
const FOUND_NOTHING = { exitCode: 0, stdout: 'MODULE_NOT_FOUND\nnothing\nnothing\nnothing\n', stderr: '' };

it.runIf(isRoot).each<[string, RunnerProcessOptions]>([
  ['as root', {}],
  ['as root without Landlock', { environment: { RUNNER_LANDLOCK: '0' } }],
  ['with Docker’s capabilities', DOCKER],
])('a program finds nothing of one on another runner, concurrent or earlier, %s', async (_, options) => {
  const [one, other] = [await started(options), await started(options)];
  const planting = one.run({ language: 'javascript', code: `${PLANT}\nsetTimeout(() => {}, 1500);` });
  await sleep(700);
  expect(await other.run({ language: 'javascript', code: LOOK })).toMatchObject(FOUND_NOTHING);
  expect(await planting).toMatchObject({ exitCode: 0, stdout: 'planted\n' });
  expect(await other.run({ language: 'javascript', code: LOOK })).toMatchObject(FOUND_NOTHING);
  expect(await one.run({ language: 'javascript', code: LOOK })).toMatchObject(FOUND_NOTHING);
});

it.runIf(isRoot)('a runner that cannot separate programs refuses a directory below a world-writable one', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tripod-shared-'));
  chmodSync(directory, 0o711);
  try {
    const environment = { ...DOCKER.environment, RUNNER_DIRECTORY: directory };
    expect(await startRunner({ ...DOCKER, environment })).toMatch(
      /^Any user can write to \S+, where interpreters look/,
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
});
