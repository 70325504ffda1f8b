import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import {
  BATCH_PATH,
  EXECUTE_PATH,
  javascript,
  listSession,
  sandboxService,
  statusOf,
  until,
} from '../../helpers/sandbox.ts';

const service = sandboxService();

const sleepers = () => execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' }).match(/^sleep .*$/gm) ?? [];
const sleeping = (seconds: number, rest: object = {}) =>
  javascript(
    `require("child_process").spawn("sleep", ["${seconds}"], { detached: true }); setInterval(() => {}, 1e6)`,
    rest,
  );

/** Sends a call, and goes away as soon as its program sleeps. */
async function leave(path: string, body: unknown, seconds: number): Promise<void> {
  const client = new AbortController();
  const call = fetch(service.baseUrl + path, {
    method: 'POST',
    headers: { 'x-api-key': service.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: client.signal,
  });
  call.catch(() => undefined);
  await expect.poll(sleepers, { timeout: 60_000 }).toContain(`sleep ${seconds}`);
  client.abort();
  await expect(call).rejects.toThrow();
  await expect.poll(sleepers, { timeout: 60_000 }).not.toContain(`sleep ${seconds}`);
}

describe('when its client goes away', () => {
  it('a program is ended with all its processes', async () => {
    await leave(EXECUTE_PATH, sleeping(87_651), 87_651);
  });

  it('an execution of a session is recorded as failed', async () => {
    await leave(EXECUTE_PATH, sleeping(87_652, { session_id: 'left' }), 87_652);
    const { execution_id } = (await listSession(service, 'left')).executions[0]!;
    await until(service, execution_id);
    expect(await statusOf(service, execution_id)).toMatchObject({ status: 'failed', result: { exit_code: -1 } });
  });

  it('a batch starts no other program', async () => {
    const next = javascript('console.log("next")', { session_id: 'next' });
    await leave(BATCH_PATH, [sleeping(87_653, { session_id: 'first' }), next], 87_653);
    const { execution_id } = (await listSession(service, 'first')).executions[0]!;
    await until(service, execution_id);
    await expect(listSession(service, 'next')).rejects.toThrow('404');
  });
});
