import { expect, it } from 'vitest';
import { DEFAULT_RESOURCES } from '../../functions/sandbox/domain/run.ts';
import { launch } from '../../sandbox/runner/launch.ts';
import { RunDirectory } from '../../sandbox/runner/run-directory.ts';
import { testedConfinement } from './tested-confinement.ts';

const confinement = testedConfinement();

/** Four threads that do not rest. */
const BUSY = `
import { isMainThread, Worker } from 'node:worker_threads';
if (isMainThread) for (let i = 0; i < 3; i += 1) new Worker('const end = Date.now() + 4000; while (Date.now() < end);', { eval: true });
const end = Date.now() + 4000;
while (Date.now() < end);
`;

it('threads of one program use no more processors than it may, in the long run', async () => {
  const directory = await RunDirectory.make(confinement(), { 'busy.mjs': BUSY });
  try {
    const { exitCode, stderr, seconds, used } = await launch({
      confinement: confinement(),
      directory,
      command: [process.execPath, 'busy.mjs'],
      readable: [process.execPath],
      environment: {},
      resources: DEFAULT_RESOURCES,
      reservedMb: 2048,
      stdin: '',
      timeoutMs: 60_000,
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    // They may take all that there are until they have been seen to.
    expect(used.cpuSeconds).toBeLessThan(seconds * DEFAULT_RESOURCES.cpu * 1.4);
  } finally {
    await directory.remove();
  }
});

it('a run whose time-out expires before the launcher is ready ends as a time-out', async () => {
  const directory = await RunDirectory.make(confinement(), {});
  try {
    for (let n = 0; n < 20; n += 1) {
      const { stdout, ended } = await launch({
        confinement: confinement(),
        directory,
        command: ['/bin/sleep', '60'],
        readable: [],
        environment: {},
        resources: DEFAULT_RESOURCES,
        reservedMb: 0,
        stdin: '',
        timeoutMs: 0,
      });
      expect({ stdout, ended }).toEqual({ stdout: '', ended: 'timeout' });
    }
  } finally {
    await directory.remove();
  }
});
