import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import previous from '../fixtures/upgrade/previous-version.json' with { type: 'json' };

/** The commit of the last release before this one. @returns null in a clone without it */
export function lastRelease(): string | null {
  const log = ['log', '--max-count=1', '--format=%H', '--grep=^chore(release): ', 'HEAD~1'];
  const { status, stdout } = spawnSync('git', log, { encoding: 'utf8' });
  return status === 0 && stdout !== '' ? stdout.trim() : null;
}

/**
 * Puts a previous version of the service into a folder, with this one's packages.
 * @returns why that is not possible; empty where it is
 */
export function unpackPreviousVersion(folder: string, commit: string = previous.commit): string {
  const archive = spawnSync('git', ['archive', commit], { maxBuffer: 512 * 1024 * 1024 });
  if (archive.status !== 0)
    return `The previous version, commit ${commit}, is not in this clone: git fetch --unshallow`;
  mkdirSync(folder, { recursive: true });
  const unpacked = spawnSync('tar', ['-x', '-C', folder], { input: archive.stdout });
  if (unpacked.status !== 0) return `The previous version was not unpacked: ${unpacked.stderr}`;
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return '';
}
