import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import { ASYNC_PATH, BATCH_PATH, detailOf, EXECUTE_PATH } from '../../helpers/sandbox.ts';
import { type InProcessService, startService } from '../../helpers/service.ts';
import { executionsOf } from '../../helpers/workspace.ts';

let service: InProcessService;
beforeAll(async () => {
  service = await startService();
  // As in a deployment without runners; handlers read their settings when they are called first.
  delete process.env.SANDBOX;
});
afterAll(() => service.stop());

const hello = { language: 'javascript', code: '1', session_id: 's' };

it.each([
  ['POST', EXECUTE_PATH, hello],
  ['POST', BATCH_PATH, [hello]],
  ['POST', ASYNC_PATH, hello],
  ['GET', '/api/v1/languages', undefined],
])('%s %s says that no program can be run', async (method, path, body) => {
  const answer = await call(service, method, path, { body });
  expect([answer.status, detailOf(answer)]).toEqual([503, 'Code execution is not set up in this deployment.']);
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(await executionsOf(service.workspaceId)).toEqual([]);
});

it('GET /api/v1/health says that the sandbox is off, and is ok', async () => {
  const { status, json } = await call(service, 'GET', '/api/v1/health');
  expect([status, json]).toMatchObject([200, { status: 'ok', checks: { sandbox: 'off' } }]);
});
