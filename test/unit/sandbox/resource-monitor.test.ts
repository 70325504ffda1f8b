import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { ResourceMonitor } from '../../../sandbox/runner/resource-monitor.ts';

/** The launcher's report of a run that holds 600 MB. */
const HELD_600_MB = 'S 614400 0 0 0 0 0 1';

it('asks again where the launcher has dropped a request to count', async ({ skip }) => {
  if (process.platform !== 'linux') skip('reads /proc');
  const launcher = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const requests: string[] = [];
  await new Promise<void>((resolve) => {
    const monitor: ResourceMonitor = new ResourceMonitor({
      launcherPid: launcher.pid ?? 0,
      disk: { kind: 'shared', directories: [import.meta.dirname] },
      resources: { cpu: 1, memoryMb: 512, diskMb: 100 },
      timeoutMs: 60_000,
      kernelKills: () => 0,
      signalLauncher: (signal) => {
        requests.push(signal);
        if (signal === 'SIGUSR2' && requests.filter((request) => request === signal).length === 2)
          monitor.record(HELD_600_MB);
        if (signal !== 'SIGTERM') return;
        expect(monitor).toMatchObject({ ended: 'limit', excess: expect.stringContaining('out of memory') });
        monitor.end();
        resolve();
      },
    });
  });
  launcher.kill();
  expect(requests).toEqual(['SIGUSR2', 'SIGUSR2', 'SIGTERM']);
});
