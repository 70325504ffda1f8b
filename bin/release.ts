/** Makes a release: see USAGE. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import packageFile from '../package.json' with { type: 'json' };
import { runCommand, UsageError } from './command-line.ts';
import { hasBreakingChanges, nextVersion, releaseChangelog, unreleasedChanges } from './release/changelog.ts';

const USAGE = `Usage: npm run release -- major|minor|patch [--allow-breaking]

Moves what CHANGELOG.md has under "Unreleased" to the new version, enters it into package.json and package-lock.json, commits
and tags v<version>. The working tree must be clean; nothing is pushed.

  --allow-breaking   release breaking changes without a new major version`;

await runCommand(USAGE, async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'allow-breaking': { type: 'boolean', default: false } },
  });
  const [step, ...more] = positionals;
  if (step === undefined || more.length > 0) throw new UsageError('Name one step.');
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' });
  if (git('status', '--porcelain').trim() !== '') throw new Error('The working tree has changes: commit them first.');
  const version = nextVersion(packageFile.version, step);
  const tag = `v${version}`;
  if (git('tag', '--list', tag).trim() !== '') throw new Error(`The tag ${tag} exists already.`);
  const text = readFileSync('CHANGELOG.md', 'utf8');
  if (step !== 'major' && !values['allow-breaking'] && hasBreakingChanges(unreleasedChanges(text)))
    throw new Error('CHANGELOG.md lists breaking changes: release a major version, or pass --allow-breaking.');
  writeFileSync('CHANGELOG.md', releaseChangelog(text, version, new Date().toISOString().slice(0, 10)));
  execFileSync('npm', ['version', version, '--no-git-tag-version'], { stdio: 'inherit' });
  git('commit', '--all', '--quiet', '--message', `chore(release): ${version}`);
  git('tag', '--annotate', tag, '--message', `Version ${version}`);
  console.log(`Tagged ${tag}. Publish it with: git push --follow-tags`);
});
