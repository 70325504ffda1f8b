import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * Prints the flaky tests and then the totals of a JSON report of vitest. A test is flaky when it passed only on a retry: its report
 * keeps the messages of the failed try. A test file that cannot be loaded counts as one failed test.
 */
const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = read(process.argv[2]);
const broken = testResults.filter(
  ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
).length;
const failed = numFailedTests + broken;

const flaky = testResults.flatMap(({ name, assertionResults }) =>
  assertionResults
    .filter((test) => test.status === 'passed' && test.failureMessages.length > 0)
    .map((test) => `  ${relative(process.cwd(), name)}: ${test.fullName}\n    ${firstLine(test.failureMessages[0])}`),
);
if (flaky.length > 0) console.log(`Flaky: ${flaky.length} passed only on a retry.\n${flaky.join('\n')}`);
console.log(`${numPassedTests} passed, ${failed} failed, ${numPendingTests + numTodoTests} skipped`);
process.exitCode = failed > 0 || numPassedTests === 0 ? 1 : 0;

function firstLine(message) {
  return message.split('\n', 1)[0];
}

function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    console.log('The tests ended without a report.');
    console.log('0 passed, 1 failed, 0 skipped');
    process.exit(1);
  }
}
