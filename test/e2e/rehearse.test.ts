import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('the rehearsal of images says what it takes, where podman is missing', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['bin/rehearse-images.ts'], {
    env: { PATH: '/nowhere' },
  });
  expect(stdout).toMatch(/^The images were not rehearsed: that takes podman and debootstrap\. apt-get install /);
});

it('the rehearsal of the deployment says what it takes, where moto is missing', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['bin/rehearse.ts', 'deployment'], {
    env: { PATH: '/nowhere' },
  });
  expect(stdout).toMatch(/^The deployment was not rehearsed: there is no moto_server here\. pip install /);
});
