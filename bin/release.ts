/** Makes a release: see USAGE. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import packageFile from '../package.json' with { type: 'json' };
import { runCommand, UsageError } from './command-line.ts';
import { nextVersion, releaseChangelog } from './release/changelog.ts';

const USAGE = `Usage: npm run release -- major|minor|patch

Moves what CHANGELOG.md has under "Unreleased" to the new version, enters it into package.json and package-lock.json, commits
and tags v<version>. The working tree must be clean; nothing is pushed.`;

await runCommand(USAGE, async () => {
  const [step, ...more] = process.argv.slice(2);
  if (step === undefined || more.length > 0) throw new UsageError('Name one step.');
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' });
  if (git('status', '--porcelain').trim() !== '') throw new Error('The working tree has changes: commit them first.');
  const version = nextVersion(packageFile.version, step);
  const changelog = releaseChangelog(
    readFileSync('CHANGELOG.md', 'utf8'),
    version,
    new Date().toISOString().slice(0, 10),
  );
  writeFileSync('CHANGELOG.md', changelog);
  execFileSync('npm', ['version', version, '--no-git-tag-version'], { stdio: 'inherit' });
  git('commit', '--all', '--quiet', '--message', `release: ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`);
  console.log(`Tagged v${version}. Publish it with: git push --follow-tags`);
});
