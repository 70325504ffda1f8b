import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../helpers/api.ts';
import {
  detailOf,
  execute,
  executeBatch,
  isRunning,
  listSession,
  resultOf,
  resultsOf,
  sessionPath,
  statusOf,
  statusPath,
  submit,
  until,
  whyNoSandbox,
} from '../helpers/sandbox.ts';
import { type InProcessService, startService } from '../helpers/service.ts';
import { tracesOf } from '../helpers/workspace.ts';

let service: InProcessService;
let cannot = '';
beforeAll(async () => {
  service = await startService();
  cannot = await whyNoSandbox(service);
});
afterAll(() => service.stop());
beforeEach(({ skip }) => {
  if (cannot !== '') skip(cannot);
});

const javascript = (code: string, session_id: string | null, rest: object = {}) => ({
  ...{ language: 'javascript', code, session_id },
  ...rest,
});
const FOREVER = 'setInterval(() => {}, 1e6)';

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

describe('GET /api/v1/sessions/{session_id}', () => {
  it('lists calls of every kind, newest first, in pages; the status of each has its result', async () => {
    const session = 'a/b ü';
    const single = resultOf(await execute(service, javascript('console.log("single")', session)));
    const batch = resultsOf(
      await executeBatch(service, [
        javascript('console.log("batch")', session),
        javascript('console.log("other")', 'other'),
        javascript('console.log("none")', null),
        javascript('const = 1', session),
      ]),
    );
    const { execution_id } = await submit(service, javascript('console.log("async")', session));
    const { result } = await until(service, execution_id);
    const all = [result!, batch[3]!, batch[0]!, single];

    const page = await listSession(service, session);
    expect(page).toMatchObject({ session_id: session, next_cursor: null });
    expect(page.executions).toMatchObject(
      all.map((each) => ({
        ...{ execution_id: each.execution_id, exit_code: each.exit_code, execution_time: each.execution_time },
        ...{ status: each.exit_code === 0 ? 'completed' : 'failed', language: 'javascript' },
      })),
    );
    for (const each of all) expect((await statusOf(service, each.execution_id)).result).toEqual(each);

    const first = await listSession(service, session, '?limit=3');
    const second = await listSession(service, session, `?limit=3&cursor=${first.next_cursor}`);
    expect([...first.executions, ...second.executions]).toEqual(page.executions);
    expect([first.executions.length, second.next_cursor]).toEqual([3, null]);
  });

  it('lists a call that timed out, and none without a session is recorded', async () => {
    expect((await execute(service, javascript(FOREVER, 'slow', { timeout: 1 }))).status).toBe(500);
    const { executions } = await listSession(service, 'slow');
    expect(executions).toMatchObject([{ status: 'failed', exit_code: -1 }]);
    const { execution_id } = resultOf(await execute(service, javascript('1', null)));
    expect((await call(service, 'GET', statusPath(execution_id))).status).toBe(404);
  });
});

describe('DELETE', () => {
  it('of an execution ends a call that waits for it', async () => {
    const waiting = execute(service, javascript(FOREVER, 'waiting'));
    const executionId = await runningIn('waiting');
    expect((await call(service, 'DELETE', `/api/v1/execute/${executionId}`)).status).toBe(204);
    const answer = await waiting;
    expect([answer.status, detailOf(answer)]).toEqual([500, 'Execution failed: Execution cancelled']);
    expect((await statusOf(service, executionId)).result).toMatchObject({
      exit_code: -1,
      stderr: 'Execution cancelled',
    });
  });

  it('of a session removes all of it, and ends what runs', async () => {
    const ended = resultOf(await execute(service, javascript('console.log("x".repeat(1e5))', 'gone')));
    const kept = resultOf(await execute(service, javascript('1', 'kept')));
    const waiting = execute(service, javascript(FOREVER, 'gone'));
    const running = await submit(service, javascript(FOREVER, 'gone'));
    await until(service, running.execution_id, isRunning);
    expect((await call(service, 'DELETE', sessionPath('gone'))).status).toBe(204);

    expect((await call(service, 'GET', sessionPath('gone'))).status).toBe(404);
    for (const { execution_id } of [ended, running])
      expect((await call(service, 'GET', statusPath(execution_id))).status).toBe(404);
    expect(detailOf(await waiting)).toBe('Execution failed: Execution cancelled');
    expect((await call(service, 'DELETE', sessionPath('gone'))).status).toBe(404);
    expect((await statusOf(service, kept.execution_id)).status).toBe('completed');
    // Neither who ran them has brought them back.
    const left = (await tracesOf(service.workspaceId)).executions;
    for (const { execution_id } of [ended, running]) expect(left).not.toContain(execution_id);
  });
});
