import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { listProcesses } from '../../../../helpers/processes.ts';

const MODULE = new URL('../../../../../functions/adapters/readers/pool/end-with-parent.ts', import.meta.url).href;

const busyChild = `
  const { endWithParent } = await import(${JSON.stringify(MODULE)});
  endWithParent();
  // The thread's program is loaded on this loop.
  setTimeout(() => { console.log(process.pid); for (;;); }, 500);`;
const parent = `
  require('node:child_process').spawn(process.execPath, ['--input-type=module', '-e', process.argv[1]], { stdio: 'inherit' });`;

it.runIf(process.platform === 'linux')('ends with its parent, though its own event loop stands still', async () => {
  const started = spawn(process.execPath, ['-e', parent, busyChild], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(started.stdout), 'line')) as [string];
  const isAlive = async () => (await listProcesses()).some(({ pid }) => pid === Number(line));
  expect(await isAlive()).toBe(true);
  started.kill('SIGKILL');
  await expect.poll(isAlive, { timeout: 30_000 }).toBe(false);
});
