import { describe, expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import {
  execute,
  executeBatch,
  FOREVER,
  javascript,
  listSession,
  resultOf,
  resultsOf,
  sandboxService,
  statusOf,
  statusPath,
  submit,
  until,
} from '../../helpers/sandbox.ts';

const service = sandboxService();

describe('GET /api/v1/sessions/{session_id}', () => {
  it('lists calls of every kind, newest first, in pages; the status of each has its result', async () => {
    const session = 'a/b ü';
    const single = resultOf(await execute(service, javascript('console.log("single")', { session_id: session })));
    const batch = resultsOf(
      await executeBatch(service, [
        javascript('console.log("batch")', { session_id: session }),
        javascript('console.log("other")', { session_id: 'other' }),
        javascript('console.log("none")'),
        javascript('const = 1', { session_id: session }),
      ]),
    );
    const { execution_id } = await submit(service, javascript('console.log("async")', { session_id: session }));
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
    expect((await execute(service, javascript(FOREVER, { session_id: 'slow', timeout: 1 }))).status).toBe(500);
    const { executions } = await listSession(service, 'slow');
    expect(executions).toMatchObject([{ status: 'failed', exit_code: -1 }]);
    const { execution_id } = resultOf(await execute(service, javascript('1')));
    expect((await call(service, 'GET', statusPath(execution_id))).status).toBe(404);
  });
});
