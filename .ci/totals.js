import { readFileSync } from 'node:fs';

/** Prints the totals of a JSON report of vitest. A test file that could not even be loaded counts as a failed test. */
const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = read(process.argv[2]);
const broken = testResults.filter(
  ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
).length;
const failed = numFailedTests + broken;
console.log(`${numPassedTests} passed, ${failed} failed, ${numPendingTests + numTodoTests} skipped`);
process.exitCode = failed > 0 || numPassedTests === 0 ? 1 : 0;

function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    console.log('The tests ended without a report.');
    console.log('0 passed, 1 failed, 0 skipped');
    process.exit(1);
  }
}
