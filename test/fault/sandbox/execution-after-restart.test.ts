import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAX_IN_BACKGROUND_PER_WORKSPACE } from '../../../functions/adapters/runner/embedded-sandbox-pool.ts';
import { isRunning, statusOf, submit, until, whyNoSandbox } from '../../helpers/sandbox.ts';
import { type ServiceProcess, startServiceProcess } from '../../helpers/service.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tripod-execution-restart-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** A running execution that would continue for minutes. */
async function endless(service: ServiceProcess): Promise<string> {
  const code = 'setInterval(() => {}, 1e6)';
  const { execution_id } = await submit(service, { language: 'javascript', code, timeout: 300 });
  await until(service, execution_id, isRunning);
  return execution_id;
}

const lost = { status: 'failed', result: { exit_code: -1, stderr: expect.stringContaining('was not started again') } };

// The embedded queue loses its messages with the process; pending executions are in DynamoDB.
it('after kill -9, and after SIGTERM, running executions are failed with a reason, and pending ones run', async ({
  skip,
}) => {
  const first = await startServiceProcess({ dataDir });
  const cannot = await whyNoSandbox(first);
  if (cannot !== '') {
    await first.stop();
    skip(cannot);
  }
  const running: string[] = [];
  while (running.length < MAX_IN_BACKGROUND_PER_WORKSPACE) running.push(await endless(first));
  const code = 'process.stdin.pipe(process.stdout)';
  const pending = await submit(first, { language: 'javascript', code, stdin: 'x'.repeat(100_000) });
  await first.kill();

  const second = await startServiceProcess({ dataDir });
  for (const executionId of running) expect(await statusOf(second, executionId)).toMatchObject(lost);
  const { status, result } = await until(second, pending.execution_id);
  expect([status, result?.stdout.length]).toEqual(['completed', 100_000]);
  const last = await endless(second);
  await second.stop();

  const third = await startServiceProcess({ dataDir });
  expect(await statusOf(third, last)).toMatchObject(lost);
  expect(await statusOf(third, pending.execution_id)).toMatchObject({ status: 'completed', result });
  await third.stop();
});
