import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { acquireConfinement } from '../../sandbox/runner/confinement.ts';
import { goToolchain } from '../../sandbox/runner/languages/go-toolchain.ts';
import { makePrivateDirectory, requireOwnDirectory } from '../../sandbox/runner/private-directory.ts';

const uid = process.getuid?.() ?? 0;
const OTHER_UID = 54_322;
const MAX_RUNNERS = 100;

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'tripod-private-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

it.runIf(process.platform === 'linux')(
  'runs have a directory that nothing was prepared in, of this user, closed to others',
  async () => {
    const victim = join(base, 'victim');
    mkdirSync(victim, { mode: 0o700 });
    for (let number = 0; number < MAX_RUNNERS; number += 1) {
      symlinkSync(victim, join(base, `tripod-sandbox-${uid}-${number}`));
      symlinkSync(victim, join(base, `tripod-sandbox-${uid}-${number}-link`));
    }
    const confinement = await acquireConfinement({ base });
    try {
      const { mode, uid: owner } = statSync(confinement.directory);
      expect({ mode: mode & 0o7777, owner }).toEqual({ mode: 0o711, owner: uid });
      expect(statSync(victim).mode & 0o777).toBe(0o700);
    } finally {
      await confinement.release();
    }
    expect(existsSync(confinement.directory)).toBe(false);
  },
);

it.runIf(process.platform === 'linux')(
  'what a killed runner left is removed by the next one of its number, and nothing else is',
  async () => {
    const stale = (number: number) => join(base, `tripod-sandbox-${uid}-${number}-stale`);
    for (let number = 0; number < MAX_RUNNERS; number += 1)
      mkdirSync(join(stale(number), 'run/deep'), { recursive: true });
    const confinement = await acquireConfinement({ base });
    try {
      const number = Number(basename(confinement.directory).split('-')[3]);
      for (let each = 0; each < MAX_RUNNERS; each += 1)
        expect({ each, exists: existsSync(stale(each)) }).toEqual({ each, exists: each !== number });
    } finally {
      await confinement.release();
    }
  },
);

it('a parent in which other users can replace names is refused, unless its sticky bit keeps them from it', async () => {
  chmodSync(base, 0o777);
  await expect(makePrivateDirectory(base, 'x-')).rejects.toThrow('Other users can replace');
  if (process.platform === 'linux')
    await expect(acquireConfinement({ base })).rejects.toMatchObject({ name: 'NoConfinement' });
  chmodSync(base, 0o1777);
  expect(await makePrivateDirectory(base, 'x-')).toContain(base);
});

it('a directory of another user, a link and one that others can write to are not its own', async () => {
  const path = (name: string) => join(base, name);
  mkdirSync(path('own'));
  await requireOwnDirectory(path('own'));
  symlinkSync(path('own'), path('link'));
  await expect(requireOwnDirectory(path('link'))).rejects.toThrow('is not a directory');
  mkdirSync(path('open'));
  chmodSync(path('open'), 0o777);
  await expect(requireOwnDirectory(path('open'))).rejects.toThrow('Others can write');
  if (uid !== 0) return;
  mkdirSync(path('others'));
  chownSync(path('others'), OTHER_UID, OTHER_UID);
  await expect(requireOwnDirectory(path('others'))).rejects.toThrow(`belongs to user ${OTHER_UID}`);
  await expect(makePrivateDirectory(path('others'), 'x-')).rejects.toThrow('Other users can replace');
});

it('the library of Go is not compiled behind a link that others laid, whose target stays as it is', async ({
  skip,
}) => {
  const go = spawnSync('which', ['go'], { encoding: 'utf8' }).stdout.trim();
  if (go === '') skip('go is not installed');
  const victim = join(base, 'victim');
  mkdirSync(victim, { mode: 0o700 });
  symlinkSync(victim, join(base, 'cache'));
  await expect(goToolchain(go, join(base, 'cache'))).rejects.toThrow('is not a directory');
  expect(statSync(victim).mode & 0o777).toBe(0o700);
});
