import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { commandLines } from '../../helpers/command-lines.ts';
import {
  detailOf,
  execute,
  executeBatch,
  javascript,
  resultOf,
  resultsOf,
  sandboxService,
} from '../../helpers/sandbox.ts';

const service = sandboxService();

it("reports a timeout, with the program's output up to then", async () => {
  const code = 'console.log("so far"); console.error("a warning"); while (true);';
  const answer = await execute(service, javascript(code, { timeout: 1 }));
  expect([answer.status, detailOf(answer)]).toEqual([500, 'Execution failed: Execution timed out after 1 second']);
  expect(answer.json).toMatchObject({ stdout: 'so far\n', stderr: 'a warning\n' });
});

/** The runners of this process. */
function killRunners(): void {
  const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  for (const [, pid] of children.matchAll(/^\s*(\d+) .*sandbox\/main\.ts$/gm)) process.kill(Number(pid), 'SIGKILL');
}

/** It never ends; a child of it shows that it has started. */
const forever = (child: string) => javascript(`require("child_process").spawn("sleep", ["${child}"])`, { timeout: 60 });
const hello = javascript('console.log("hello")');

async function killRunnersDuring(child: string): Promise<void> {
  while (!commandLines().includes(`sleep ${child}`)) await sleep(20);
  killRunners();
}

it('reports a runner that dies in the middle of a run, and the next run finds a new one', async () => {
  const [answer] = await Promise.all([execute(service, forever('1003')), killRunnersDuring('1003')]);
  expect([answer.status, detailOf(answer)]).toEqual([
    500,
    expect.stringMatching(/^Execution failed: The runner ended/),
  ]);
  expect(resultOf(await execute(service, hello))).toMatchObject({ stdout: 'hello\n' });
});

it('continues a batch when the runner dies in one of its programs', async () => {
  const [answer] = await Promise.all([executeBatch(service, [forever('1004'), hello]), killRunnersDuring('1004')]);
  expect(resultsOf(answer)).toMatchObject([
    { exit_code: -1, stderr: expect.stringContaining('The runner ended') },
    { exit_code: 0, stdout: 'hello\n' },
  ]);
});
