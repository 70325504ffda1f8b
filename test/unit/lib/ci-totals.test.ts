import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tripod-totals-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const passed = { status: 'passed', fullName: 'a quiet test', failureMessages: [] };
const retried = { status: 'passed', fullName: 'a flaky test', failureMessages: ['Error: socket hang up\n  at x'] };

function totalsOf(tests: readonly object[], counts: object = {}) {
  const file = join(folder, 'report.json');
  const testResults = [{ name: resolve('test/some.test.ts'), status: 'passed', assertionResults: tests }];
  const zero = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
  writeFileSync(file, JSON.stringify({ ...zero, ...counts, testResults }));
  const { stdout, status } = spawnSync(process.execPath, ['.ci/totals.js', file], { encoding: 'utf8' });
  return { status, lines: stdout.trimEnd().split('\n') };
}

it('the totals name every test that passed only on a retry, before the last line', () => {
  expect(totalsOf([passed, retried], { numPassedTests: 2 })).toEqual({
    status: 0,
    lines: [
      'Flaky: 1 passed only on a retry.',
      '  test/some.test.ts: a flaky test',
      '    Error: socket hang up',
      '2 passed, 0 failed, 0 skipped',
    ],
  });
});

it('the totals of a run without flaky tests are one line', () => {
  expect(totalsOf([passed], { numPassedTests: 1, numPendingTests: 3 })).toEqual({
    status: 0,
    lines: ['1 passed, 0 failed, 3 skipped'],
  });
});
