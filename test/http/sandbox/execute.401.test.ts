import { describe, expect, it } from 'vitest';
import { call } from '../../helpers/api.ts';
import {
  ASYNC_PATH,
  BATCH_PATH,
  detailOf,
  EXECUTE_PATH,
  executionPath,
  sessionPath,
  statusPath,
} from '../../helpers/sandbox.ts';
import { useService } from '../../helpers/service.ts';
import { changeKey, createWorkspace } from '../../helpers/workspace.ts';

const service = useService();

const calls = [
  ['POST', EXECUTE_PATH, { language: 'javascript', code: '1' }],
  ['POST', BATCH_PATH, [{ language: 'javascript', code: '1' }]],
  ['POST', ASYNC_PATH, { language: 'javascript', code: '1' }],
  ['GET', statusPath('exec_1'), undefined],
  ['DELETE', executionPath('exec_1'), undefined],
  ['GET', sessionPath('s'), undefined],
  ['DELETE', sessionPath('s'), undefined],
  ['GET', '/api/v1/languages', undefined],
] as const;

describe.each(calls)('%s %s', (method, path, body) => {
  it.each([null, 'wrong', 'tpk_0000000000000000000000000000000000000000'])('with the key %j: 401', async (key) => {
    const answer = await call(service, method, path, { key, body });
    expect([answer.status, detailOf(answer)]).toEqual([401, 'Invalid or missing API key']);
  });

  it('with a key for other services: 403', async () => {
    const { apiKey, keyId } = await createWorkspace();
    await changeKey(keyId, { scopes: ['extraction', 'chat'] });
    const answer = await call(service, method, path, { key: apiKey, body });
    expect([answer.status, detailOf(answer)]).toEqual([403, expect.stringContaining('"sandbox"')]);
  });
});
