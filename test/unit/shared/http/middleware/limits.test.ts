import { expect, it } from 'vitest';
import type { HttpMiddleware } from '../../../../../functions/shared/http/http-middleware.ts';
import { limits } from '../../../../../functions/shared/http/middleware/limits.ts';
import type { Route } from '../../../../../functions/shared/http/route.ts';
import { baseLimits } from '../../../../../functions/shared/limits/base-limits.ts';
import { exchanged } from '../../../../helpers/exchange.ts';

const route = {
  ...{ id: 'system.test', method: 'GET', path: '/', auth: [], errors: 'envelope', doc: { summary: '' } },
  ...{ responses: {}, limits: { timeoutSeconds: 1, memoryMb: 128 }, access: [] },
} as const satisfies Route;
const ports = {
  store: { take: async () => ({ taken: true, fullAtMs: 1000 }) },
  clock: { now: () => 0 },
  base: baseLimits({ user: 600, address: 300 }),
  overrides: {},
} as never;
const take: HttpMiddleware = { before: ({ internal }) => internal.limits.takeByAddress(internal.request) };
const shared = { request: { sourceAddress: '192.0.2.1' } as never };

it('a response has the numbers of its tightest limit', async () => {
  const { response } = await exchanged([limits(route, { limits: () => ports }), take], { shared });
  expect(response.headers).toMatchObject({ 'ratelimit-limit': '300', 'ratelimit-reset': '1' });
});

it('an unlimited route takes no tokens', async () => {
  const { response } = await exchanged([limits({ ...route, isUnlimited: true }, { limits: () => ports }), take], {
    shared,
  });
  expect(response.headers).toEqual({ 'content-type': 'text/plain' });
});

it('a route with limits and no store for them cannot be made', () => {
  const limit = { name: 'a', burst: 1, refillMs: 1 } as never;
  expect(() => limits({ ...route, rateLimits: [{ limit, per: 'address' }] }, {})).toThrow('nothing to keep them in');
});
