/** Checks the subjects of the last commits by commitlint.config.js: see docs/contributing/style.md. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import lint from '@commitlint/lint';
import load from '@commitlint/load';

/** The rules hold for commits after this one. */
const FIRST_RELEASE_WITH_RULES = 'chore(release): 1.1.0';
const MAX_COMMITS = 50;

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();

/** Newest first. A clone that lacks the release, for example of a single commit, has its newest commit checked. */
function commitsToCheck(): string[] {
  const release = git('log', '-1', '--format=%H', '--fixed-strings', `--grep=${FIRST_RELEASE_WITH_RULES}`);
  const range = release === '' ? ['--max-count=1', 'HEAD'] : [`--max-count=${MAX_COMMITS}`, `${release}..HEAD`];
  return git('rev-list', '--no-merges', ...range)
    .split('\n')
    .filter(Boolean);
}

if (existsSync('.git')) {
  const { rules, plugins, parserPreset } = await load({}, { cwd: process.cwd() });
  const parserOpts = parserPreset?.parserOpts as object | undefined;
  for (const commit of commitsToCheck()) {
    const message = git('show', '--no-patch', '--format=%B', commit);
    const { errors } = await lint(message, rules, { plugins, ...(parserOpts && { parserOpts }) });
    if (errors.length === 0) continue;
    process.exitCode = 1;
    console.error(`${commit.slice(0, 8)} ${message.split('\n', 1)[0]}`);
    for (const { message: fault } of errors) console.error(`  ${fault}`);
  }
}
