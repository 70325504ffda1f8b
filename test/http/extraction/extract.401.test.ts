import { expect, it } from 'vitest';
import { call, EXTRACT_PATH, problemOf } from '../../helpers/api.ts';
import { useService } from '../../helpers/service.ts';
import { changeKey, createWorkspace, tracesOf } from '../../helpers/workspace.ts';

const service = useService();

it('401 invalid_key comes before anything else is looked at', async () => {
  const answer = await call(service, 'POST', EXTRACT_PATH, { key: null, raw: 'not JSON' });
  expect(answer.status).toBe(401);
  expect(problemOf(answer).code).toBe('invalid_key');
});

it('403 forbidden for a key without the scope, which it names', async () => {
  const { apiKey, keyId, workspaceId } = await createWorkspace();
  await changeKey(keyId, { scopes: ['chat', 'sandbox'] });
  const answer = await call(service, 'POST', EXTRACT_PATH, { key: apiKey, body: { image: 'AA==' } });
  expect(answer.status).toBe(403);
  expect(problemOf(answer)).toMatchObject({ code: 'forbidden', details: { scope: 'extraction' } });
  expect(await tracesOf(workspaceId)).toMatchObject({ charges: [], extractions: [], idempotencyKeys: [] });
});
