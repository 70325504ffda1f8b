import { execFileSync } from 'node:child_process';
import packageFile from '../../package.json' with { type: 'json' };
import { repository } from './paths.ts';

/** The version that health and the OpenAPI document report: see {@link describeVersion}. */
export function runningVersion(): string {
  return describeVersion(packageFile.version, describeCommit(packageFile.version));
}

/**
 * The package's version, and for any commit but the tagged one its place in the history as build metadata of Semantic Versioning:
 * `1.1.0`, `1.1.0+7.g86b766f0` (seven commits later), `1.1.0+g86b766f0` (the tag is unknown).
 * @param description output of `git describe --tags --always`; undefined outside a repository
 */
export function describeVersion(version: string, description: string | undefined): string {
  if (description === undefined || description === `v${version}`) return version;
  const [, commits, commit] = /^.+-(\d+)-(g[0-9a-f]+)$/.exec(description) ?? [];
  return commits === undefined ? `${version}+g${description}` : `${version}+${commits}.${commit}`;
}

/** Looks only at the project's own repository: an unpacked archive may be in a folder of another one. */
function describeCommit(version: string): string | undefined {
  const options = ['--tags', '--always', '--abbrev=8', '--match', `v${version}`];
  try {
    return execFileSync('git', ['--git-dir', `${repository}.git`, 'describe', ...options], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}
