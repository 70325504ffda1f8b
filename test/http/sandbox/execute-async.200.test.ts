import { describe, expect, it } from 'vitest';
import { MAX_IN_BACKGROUND_PER_WORKSPACE } from '../../../functions/adapters/runner/embedded-sandbox-pool.ts';
import {
  cancel,
  execute,
  FOREVER,
  isRunning,
  javascript,
  sandboxService,
  statusOf,
  submit,
  until,
} from '../../helpers/sandbox.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

const service = sandboxService();

describe('POST /api/v1/execute/async', () => {
  it('answers with the record, pending; the status is then that of the run, with its result in the end', async () => {
    const accepted = await submit(service, javascript('console.log("hello"); console.error("oh"); process.exit(3)'));
    expect(accepted).toEqual({
      execution_id: expect.stringMatching(/^exec_/),
      status: 'pending',
      created_at: expect.any(String),
      started_at: null,
      completed_at: null,
      result: null,
    });
    const ended = await until(service, accepted.execution_id);
    const { execution_id } = accepted;
    expect(ended).toMatchObject({ execution_id, status: 'completed', created_at: accepted.created_at });
    expect(ended.result).toEqual({
      ...{ execution_id, stdout: 'hello\n', stderr: 'oh\n', exit_code: 3 },
      ...{ execution_time: expect.any(Number), language: 'javascript', session_id: null },
    });
    const times = [ended.created_at, ended.started_at, ended.completed_at].map(String);
    expect(times).toEqual(times.toSorted());
  });

  it('runs large programs on large inputs, and keeps large outputs', async () => {
    const stdin = 'x한'.repeat(1024 * 1024);
    const code = `process.stdin.pipe(process.stdout); console.error("y".repeat(5e5)) // ${'z'.repeat(900_000)}`;
    const { execution_id } = await submit(service, javascript(code, { stdin, environment: { NAME: 'value' } }));
    const { status, result } = await until(service, execution_id);
    expect(status).toBe('completed');
    expect(result!.stdout.slice(0, 1000)).toBe(stdin.slice(0, 1000));
    expect(result!.stdout.length).toBeGreaterThan(400_000);
    expect(result!.stderr).toBe(`${'y'.repeat(5e5)}\n`);
  });

  it('answers within what a function may answer also where an output is made of control characters', async () => {
    const { execution_id } = await submit(service, javascript('process.stdout.write("\\0".repeat(2 ** 20))'));
    const { status, result } = await until(service, execution_id);
    // Each is six bytes in JSON, and Lambda ends at 6 MB.
    expect(JSON.stringify(result).length).toBeLessThan(6_000_000);
    expect([status, result!.stdout]).toEqual([
      'completed',
      expect.stringMatching(/^\0+\n\[\.\.\. \d+ bytes left out \.\.\.\]\n\0+$/),
    ]);
  });

  it('an execution that times out or is not a program ends as failed, with -1 and the reason', async () => {
    const slow = await submit(service, javascript(FOREVER, { timeout: 1 }));
    const broken = await submit(service, javascript('const = 1'));
    expect(await until(service, slow.execution_id)).toMatchObject({
      status: 'failed',
      result: { exit_code: -1, stdout: 'begun\n', stderr: 'Execution timed out after 1 second' },
    });
    expect(await until(service, broken.execution_id)).toMatchObject({
      status: 'failed',
      result: { exit_code: -1, stderr: expect.stringMatching(/^Invalid code syntax: .*SyntaxError/s) },
    });
  });

  it('runs several at the same time', async () => {
    const submitted = await Promise.all([1, 2].map(() => submit(service, javascript(FOREVER))));
    for (const { execution_id } of submitted) await until(service, execution_id, isRunning);
    for (const { execution_id } of submitted) expect((await statusOf(service, execution_id)).status).toBe('running');
    for (const { execution_id } of submitted) await cancel(service, execution_id);
    for (const { execution_id } of submitted)
      expect(await until(service, execution_id)).toMatchObject({ status: 'failed' });
  });

  it('runs the execution of another workspace while one has more waiting than it may run', async () => {
    const flood = await Promise.all(
      Array.from({ length: MAX_IN_BACKGROUND_PER_WORKSPACE + 3 }, () => submit(service, javascript(FOREVER))),
    );
    const other = { baseUrl: service.baseUrl, apiKey: (await createWorkspace()).apiKey };
    const { execution_id: modest } = await submit(other, javascript('console.log("hello")'));
    expect(await until(other, modest)).toMatchObject({ status: 'completed' });
    for (const { execution_id } of flood) await cancel(service, execution_id);
    for (const { execution_id } of flood) await until(service, execution_id);
  });

  it('leaves a runner to the calls that wait for an answer', async () => {
    const submitted = await Promise.all(
      Array.from({ length: MAX_IN_BACKGROUND_PER_WORKSPACE + 1 }, () => submit(service, javascript(FOREVER))),
    );
    for (const { execution_id } of submitted.slice(0, -1)) await until(service, execution_id, isRunning);
    await expect.poll(() => execute(service, javascript('1')), { timeout: 60_000 }).toMatchObject({ status: 200 });
    for (const { execution_id } of submitted) await cancel(service, execution_id);
    for (const { execution_id } of submitted) await until(service, execution_id);
  });
});
