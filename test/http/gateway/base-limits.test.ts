import { describe, expect, it, vi } from 'vitest';
import { dynamoClient } from '../../../functions/adapters/dynamodb/client.ts';
import { DynamoLimits } from '../../../functions/adapters/shared/dynamo-limits.ts';
import { environment } from '../../../functions/shared/environment.ts';
import { perMinute } from '../../../functions/shared/limits/base-limits.ts';
import type { RateLimit } from '../../../functions/shared/limits/rate-limit.ts';
import { call } from '../../helpers/api.ts';
import { useOwnService } from '../../helpers/service.ts';
import { createWorkspace } from '../../helpers/workspace.ts';

/** The limits of spec 2 as they are by default, on the whole service. */
vi.stubEnv('USER_LIMIT_PER_MINUTE', '');
vi.stubEnv('ADDRESS_LIMIT_PER_MINUTE', '');
vi.stubEnv('LOG_LEVEL', 'SILENT');
const service = useOwnService();

/** Leaves no token in a bucket, and no refill before the next request: that one finds a clock that was set back. */
async function empty(limit: RateLimit, subject: string): Promise<void> {
  const store = new DynamoLimits(dynamoClient(), environment('LIMITS_TABLE').LIMITS_TABLE);
  await store.take(limit, subject, limit.burst, Date.now() + 120_000);
}

const PATH = '/api/v1/balance';
const limitHeaders = ({ headers }: { headers: Headers }) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`)));

describe('a caller with a valid credential', () => {
  it('a caller has 600 a minute, reads the rest from its headers, and gets the documented 429', async () => {
    const { apiKey, keyId } = await createWorkspace();
    const ask = (key = apiKey) => call(service, 'GET', PATH, { key });
    expect(limitHeaders(await ask())).toEqual([600, 599, 1]);
    await empty(perMinute('user', 600), keyId);
    const answer = await ask();
    expect(answer.status).toBe(429);
    const seconds = Number(answer.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(answer.json).toMatchObject({ message: `Rate limit exceeded. Retry after ${seconds} seconds.` });
    expect(limitHeaders(answer).slice(0, 2)).toEqual([600, 0]);
    expect((await ask((await createWorkspace()).apiKey)).status).toBe(200);
  });

  it('counts a message to the MCP endpoint once, the call of its tool included', async () => {
    const { apiKey, keyId } = await createWorkspace();
    const params = {
      name: 'search_knowledge',
      arguments: { base: '0198c2a4-5b6d-7e8f-9a0b-1c2d3e4f5a6b', query: 'x' },
    };
    const ask = () =>
      call(service, 'POST', '/mcp', { key: apiKey, body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } });
    expect(limitHeaders(await ask())).toEqual([600, 599, 1]);
    await empty(perMinute('user', 600), keyId);
    const answer = await ask();
    expect(answer.json).toMatchObject({ error: { code: -32_000, data: { status: 429, code: 'rate_limited' } } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('does not use up what its address has', async () => {
    const { apiKey } = await createWorkspace();
    expect(limitHeaders(await call(service, 'GET', PATH, { key: apiKey }))[0]).toBe(600);
    expect(limitHeaders(await call(service, 'GET', PATH, { key: null }))[0]).toBe(300);
  });

  it('keeps its tokens when others send its id with a wrong secret', async () => {
    const { apiKey } = await createWorkspace();
    await call(service, 'GET', PATH, { key: apiKey });
    const wrong = `${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}`;
    await Promise.all(Array.from({ length: 10 }, () => call(service, 'GET', PATH, { key: wrong })));
    expect(limitHeaders(await call(service, 'GET', PATH, { key: apiKey }))[1]).toBeGreaterThanOrEqual(597);
  });
});

describe('an address without a valid credential', () => {
  it('has 300 a minute over all routes, and then 429 instead of 401; the health of the service is exempt', async () => {
    for (const [path, key] of [
      [PATH, null],
      [PATH, 'tpk_wrong'],
      ['/api/v1/execute/status/x', 'nonsense'],
      ['/api/v1/openapi.json', null],
    ] as const) {
      await empty(perMinute('address', 300), '127.0.0.1');
      const { status, headers } = await call(service, 'GET', path, { key });
      expect([status, headers.get('ratelimit-limit')]).toEqual([429, '300']);
    }
    expect((await call(service, 'GET', PATH)).status).toBe(200);
    const health = await call(service, 'GET', '/api/v1/health', { key: null });
    expect([health.status, health.headers.get('ratelimit-limit')]).toEqual([200, null]);
  });
});

it('requests pass when the store of the limits fails, and a metric counts them', async () => {
  const { apiKey } = await createWorkspace();
  const { LIMITS_TABLE } = environment('LIMITS_TABLE');
  expect((await call(service, 'GET', PATH, { key: apiKey })).status).toBe(200);
  await service.aws.dynamodb.execute('DeleteTable', { TableName: LIMITS_TABLE });
  const printed = vi.spyOn(process.stdout, 'write');
  const answer = await call(service, 'GET', PATH, { key: apiKey });
  const lines = printed.mock.calls.map(([line]) => String(line));
  printed.mockRestore();
  expect([answer.status, answer.headers.get('ratelimit-limit')]).toEqual([200, null]);
  expect(lines.filter((line) => line.includes('"LimitStoreFailures":1'))).toHaveLength(1);
});
