import { expect, it } from 'vitest';
import { call, problemOf } from '../../helpers/api.ts';
import { BATCH_PATH } from '../../helpers/batch.ts';
import { useService } from '../../helpers/service.ts';
import { changeKey, createWorkspace } from '../../helpers/workspace.ts';

const service = useService();

it.each([
  ['POST', BATCH_PATH],
  ['GET', '/api/v1/jobs/job_01JDEXAMPLE000000000000000'],
])('%s %s: 401 invalid_key without a key, 403 forbidden for one without the scope', async (method, path) => {
  const nobody = await call(service, method, path, { key: null });
  expect(nobody.status).toBe(401);
  expect(problemOf(nobody).code).toBe('invalid_key');

  const { apiKey, keyId } = await createWorkspace();
  await changeKey(keyId, { scopes: ['chat', 'sandbox'] });
  const other = await call(service, method, path, { key: apiKey });
  expect(other.status).toBe(403);
  expect(problemOf(other)).toMatchObject({ code: 'forbidden', details: { scope: 'extraction' } });
});
