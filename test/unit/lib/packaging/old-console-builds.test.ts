import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeOldBuilds } from '../../../../lib/packaging/build-console.ts';

const NOW_MS = Date.parse('2026-11-27T12:00:00Z');
const HOUR_MS = 60 * 60 * 1000;

it('A build of the console removes those of former sources, except the newest few and any younger than a day', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'console-builds-'));
  try {
    const ages = { current: 90, newest: 30, next: 40, old: 50, older: 60, 'half-written.1': 1 };
    for (const [name, hours] of Object.entries(ages)) {
      await mkdir(join(cache, name));
      const made = new Date(NOW_MS - hours * HOUR_MS);
      await utimes(join(cache, name), made, made);
    }
    await removeOldBuilds(cache, join(cache, 'current'), NOW_MS);
    expect((await readdir(cache)).sort()).toEqual(['current', 'half-written.1', 'newest']);
  } finally {
    await rm(cache, { recursive: true, force: true });
  }
});
