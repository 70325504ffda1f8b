import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import {
  detailOf,
  execute,
  executeBatch,
  FOREVER,
  javascript,
  resultOf,
  resultsOf,
  sandboxService,
} from '../helpers/sandbox.ts';

const service = sandboxService();

it('tells of a timeout', async () => {
  const answer = await execute(service, javascript('while (true);', { timeout: 1 }));
  expect([answer.status, detailOf(answer)]).toEqual([500, 'Execution failed: Execution timed out after 1 second']);
});

/** The runners of this process. */
function killRunners(): void {
  const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  for (const [, pid] of children.matchAll(/^\s*(\d+) .*sandbox\/main\.ts$/gm)) process.kill(Number(pid), 'SIGKILL');
}

const forever = javascript(FOREVER, { timeout: 60 });
const hello = javascript('console.log("hello")');

it('tells of a runner that dies in the middle of a run, and the next run finds a new one', async () => {
  const running = execute(service, forever);
  setTimeout(killRunners, 1_000);
  const answer = await running;
  expect([answer.status, detailOf(answer)]).toEqual([
    500,
    expect.stringMatching(/^Execution failed: The runner ended/),
  ]);
  expect(resultOf(await execute(service, hello))).toMatchObject({ stdout: 'hello\n' });
});

it('goes on with a batch when the runner dies in one of it', async () => {
  const running = executeBatch(service, [forever, hello]);
  setTimeout(killRunners, 1_000);
  expect(resultsOf(await running)).toMatchObject([
    { exit_code: -1, stderr: expect.stringContaining('The runner ended') },
    { exit_code: 0, stdout: 'hello\n' },
  ]);
});
