import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tripod-dev-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

it('npm run dev serves the interactive documentation, and restarts the service when a file changes', async () => {
  const [node, ...args] = packageFile.scripts.dev.split(' ');
  expect(node).toBe('node');
  const child = spawn(process.execPath, args, {
    env: { ...process.env, PORT: '0', TRIPOD_DATA_DIR: dataDir, DEBUG: undefined },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const gone = once(child, 'exit');
  try {
    let starts = 0;
    for await (const line of createInterface(child.stdout)) {
      const [, url] = /^Tripod is ready: (\S+)$/.exec(line) ?? [];
      if (url === undefined) continue;
      expect((await fetch(`${url}/docs`)).status).toBe(200);
      if (++starts === 2) break;
      const now = new Date();
      await utimes('bin/dev.js', now, now);
    }
    expect(starts).toBe(2);
  } finally {
    child.kill('SIGTERM');
    await gone;
  }
});
