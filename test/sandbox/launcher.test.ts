import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const COMPILERS = ['gcc', 'aarch64-linux-gnu-gcc'];

/** Debian's compilers of the release that the committed files were built on. */
const compilersAreTheSame = COMPILERS.every((compiler) => {
  const { stdout } = spawnSync(compiler, ['-dumpfullversion'], { encoding: 'utf8' });
  return stdout?.trim() === '12.2.0';
});

it.skipIf(!compilersAreTheSame)('the launchers are what their source says', () => {
  const built = mkdtempSync(join(tmpdir(), 'tripod-launcher-'));
  try {
    const { status, stderr } = spawnSync('sandbox/launcher/build.sh', [built], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    for (const name of ['launch-linux-x64', 'launch-linux-arm64'])
      expect(readFileSync(join(built, name)).equals(readFileSync(`sandbox/launcher/${name}`)), name).toBe(true);
  } finally {
    rmSync(built, { recursive: true });
  }
});
