import { expect, it } from 'vitest';
import { dynamoClient } from '../../../functions/adapters/dynamodb/client.ts';
import { DynamoLimits } from '../../../functions/adapters/shared/dynamo-limits.ts';
import { executionsLimit } from '../../../functions/sandbox/routes.ts';
import { environment } from '../../../functions/shared/environment.ts';
import { call } from '../../helpers/api.ts';
import { ASYNC_PATH, detailOf, execute, executeBatch, statusPath } from '../../helpers/sandbox.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

const service = useService();

/** Refused in the end, for its language: what passes the limit runs nothing. */
const refused = { language: 'COBOL', code: 'x' };

it('counts by key, a batch as its length, and refuses a batch whole', async () => {
  const { apiKey, keyId } = await createWorkspace();
  const caller = { baseUrl: service.baseUrl, apiKey };
  const limits = new DynamoLimits(dynamoClient(), environment('LIMITS_TABLE').LIMITS_TABLE);
  await limits.take(executionsLimit, keyId, 96, Date.now() + 60_000);

  const single = await call(caller, 'POST', ASYNC_PATH, { body: refused });
  expect([single.status, detailOf(single)]).toEqual([429, 'Rate limit exceeded. Please try again later.']);
  // What runs nothing is not counted.
  expect((await call(caller, 'GET', statusPath('exec_1'))).status).toBe(404);

  const batch = await executeBatch(caller, Array(10).fill(refused));
  expect([batch.status, detailOf(batch)]).toEqual([429, 'Rate limit exceeded. Please try again later.']);
  expect(Number(batch.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(batch.headers.get('ratelimit-limit')).toBe('100');

  const another = await createWorkspace();
  expect((await execute({ ...caller, apiKey: another.apiKey }, refused)).status).not.toBe(429);
});
