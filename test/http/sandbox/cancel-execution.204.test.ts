import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import {
  cancel,
  detailOf,
  execute,
  FOREVER,
  isRunning,
  javascript,
  listSession,
  resultOf,
  sandboxService,
  sessionPath,
  statusOf,
  statusPath,
  submit,
  until,
} from '../../helpers/sandbox.ts';
import { executionsOf } from '../../helpers/workspace.ts';

const service = sandboxService();

/** Every process of this machine that sleeps. */
const sleepers = () => execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' }).match(/^sleep .*$/gm) ?? [];

/** Polls until one of the session runs. */
async function runningIn(sessionId: string): Promise<string> {
  for (;;) {
    const answer = await call(service, 'GET', sessionPath(sessionId));
    const page = answer.status === 200 ? await listSession(service, sessionId) : { executions: [] };
    const running = page.executions.find(({ status }) => status === 'running');
    if (running) return running.execution_id;
    await sleep(50);
  }
}

const cancelled = { exit_code: -1, stderr: 'Execution cancelled' };

describe('DELETE /api/v1/execute/{execution_id}', () => {
  it('ends a running one with all its processes', async () => {
    const code = 'require("child_process").spawn("sleep", ["98765"], { detached: true }); setInterval(() => {}, 1e6)';
    const { execution_id } = await submit(service, javascript(code));
    await expect.poll(sleepers, { timeout: 60_000 }).toContain('sleep 98765');
    const answer = await cancel(service, execution_id);
    expect([answer.status, answer.json]).toEqual([204, null]);
    expect(await until(service, execution_id)).toMatchObject({ status: 'failed', result: cancelled });
    expect(sleepers()).not.toContain('sleep 98765');
  });

  it('ends a call that waits for it', async () => {
    const waiting = execute(service, javascript(FOREVER, { session_id: 'waiting' }));
    const executionId = await runningIn('waiting');
    expect((await cancel(service, executionId)).status).toBe(204);
    const answer = await waiting;
    expect([answer.status, detailOf(answer)]).toEqual([500, 'Execution failed: Execution cancelled']);
    expect(await statusOf(service, executionId)).toMatchObject({ status: 'failed', result: cancelled });
  });

  it('removes one that has ended', async () => {
    const { execution_id } = await submit(service, javascript('1'));
    await until(service, execution_id);
    expect((await cancel(service, execution_id)).status).toBe(204);
    expect((await cancel(service, execution_id)).status).toBe(404);
  });
});

describe('DELETE /api/v1/sessions/{session_id}', () => {
  it('removes all of it, and ends what runs', async () => {
    const ended = resultOf(await execute(service, javascript('console.log("x".repeat(1e5))', { session_id: 'gone' })));
    const kept = resultOf(await execute(service, javascript('1', { session_id: 'kept' })));
    const waiting = execute(service, javascript(FOREVER, { session_id: 'gone' }));
    const running = await submit(service, javascript(FOREVER, { session_id: 'gone' }));
    await until(service, running.execution_id, isRunning);
    expect((await call(service, 'DELETE', sessionPath('gone'))).status).toBe(204);

    for (const method of ['GET', 'DELETE']) expect((await call(service, method, sessionPath('gone'))).status).toBe(404);
    for (const { execution_id } of [ended, running])
      expect((await call(service, 'GET', statusPath(execution_id))).status).toBe(404);
    expect(detailOf(await waiting)).toBe('Execution failed: Execution cancelled');
    expect((await statusOf(service, kept.execution_id)).status).toBe('completed');
    // Neither who ran them has brought them back.
    const left = await executionsOf(service.workspaceId);
    for (const { execution_id } of [ended, running]) expect(left).not.toContain(execution_id);
  });
});
