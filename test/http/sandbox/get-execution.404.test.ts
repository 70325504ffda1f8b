import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import { detailOf, executionPath, sessionPath, statusPath, submit, whyNoSandbox } from '../../helpers/sandbox.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

const service = useService();
let cannot = '';
beforeAll(async () => {
  cannot = await whyNoSandbox(service);
});

const executionCalls = [
  ['GET', statusPath],
  ['DELETE', executionPath],
] as const;

describe.each(executionCalls)('%s of an execution', (method, path) => {
  it.each(['exec_01JDEXAMPLE000000000000000', 'x', 'job_01', '1%202', 'e'.repeat(150)])('named %s', async (id) => {
    const answer = await call(service, method, path(id));
    expect([answer.status, detailOf(answer)]).toEqual([404, `Execution ${id} not found`]);
  });

  it('with a name that is longer than the key of a table', async () => {
    expect((await call(service, method, path('e'.repeat(3000)))).status).toBe(404);
  });

  it('of another workspace', async ({ skip }) => {
    if (cannot !== '') skip(cannot);
    const { execution_id } = await submit(service, { language: 'javascript', code: '1' });
    const stranger = { ...service, ...(await createWorkspace()) };
    const answer = await call(stranger, method, path(execution_id));
    expect([answer.status, detailOf(answer)]).toEqual([404, `Execution ${execution_id} not found`]);
    expect((await call(service, 'GET', statusPath(execution_id))).status).toBe(200);
  });
});

describe.each(['GET', 'DELETE'])('%s of a session', (method) => {
  it.each(['unknown', 'a/b', '한국어'])('named %s', async (sessionId) => {
    const answer = await call(service, method, sessionPath(sessionId));
    expect([answer.status, detailOf(answer)]).toEqual([404, `Session ${sessionId} not found`]);
  });

  it('of another workspace', async ({ skip }) => {
    if (cannot !== '') skip(cannot);
    await submit(service, { language: 'javascript', code: '1', session_id: 'mine' });
    const stranger = { ...service, ...(await createWorkspace()) };
    expect((await call(stranger, method, sessionPath('mine'))).status).toBe(404);
    expect((await call(service, 'GET', sessionPath('mine'))).status).toBe(200);
  });
});

it('an execution of a refused call is in no session', async ({ skip }) => {
  if (cannot !== '') skip(cannot);
  const body = { language: 'javascript', code: 'const = 1', session_id: 'refused' };
  expect((await call(service, 'POST', '/api/v1/execute', { body })).status).toBe(400);
  expect((await call(service, 'GET', sessionPath('refused'))).status).toBe(404);
});
