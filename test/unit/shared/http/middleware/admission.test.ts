import { expect, it } from 'vitest';
import * as z from 'zod';
import type { HttpRequest } from '../../../../../functions/shared/http/api-request.ts';
import { Deadline } from '../../../../../functions/shared/http/deadline.ts';
import { admission } from '../../../../../functions/shared/http/middleware/admission.ts';
import { RequestLimits } from '../../../../../functions/shared/http/rate-limits.ts';
import type { Route } from '../../../../../functions/shared/http/route.ts';
import { exchanged } from '../../../../helpers/exchange.ts';

const route = {
  ...{ id: 'system.test', method: 'POST', path: '/', auth: ['api-key'], errors: 'envelope', doc: { summary: '' } },
  ...{
    responses: {},
    limits: { timeoutSeconds: 1, memoryMb: 128 },
    access: [],
    query: z.object({ n: z.coerce.number() }),
  },
} as const satisfies Route;
const principal = { kind: 'key', id: 'k1', workspaceId: 'ws_1', role: 'owner', scopes: [] } as const;
const authenticators = {
  'api-key': {
    find: ({ headers }: HttpRequest) =>
      headers['x-api-key'] ? ({ rank: 'header', text: headers['x-api-key'] } as const) : null,
    verify: async (text: string) => (text === 'right' ? principal : null),
  },
};

/** The handler's event, and the principal that is left for other middlewares. */
async function admitted(
  key: string,
  n: string,
  deadline = new Deadline(60_000),
  load = async () => ({ loaded: true }),
) {
  const request = {
    sourceAddress: '192.0.2.1',
    headers: { 'x-api-key': key },
    queryParameters: { n },
    body: { text: '' },
    pathParameters: {},
  };
  let received: object | undefined;
  const { internal } = await exchanged([admission(route, authenticators, { load })], {
    shared: { deadline, request: request as never, limits: new RequestLimits(route, null) },
    async handle(event) {
      received = event;
      return { statusCode: 200, headers: {}, body: '' };
    },
  });
  return { received, principal: internal.principal };
}

it('a handler gets the admitted request: its principal, its parsed input and the loaded data', async () => {
  const { received, principal: known } = await admitted('right', '7');
  expect(received).toMatchObject({ principal, query: { n: 7 }, body: undefined, loaded: true });
  expect(known).toBe(principal);
});

it('a request without a valid credential, or with wrong input, does not reach its handler', async () => {
  await expect(admitted('wrong', '7')).rejects.toMatchObject({ status: 401 });
  await expect(admitted('right', 'x')).rejects.toMatchObject({ code: 'invalid_request' });
});

it('a request that is not admitted by its deadline is given up', async () => {
  await expect(admitted('right', '7', new Deadline(1), () => new Promise(() => undefined))).rejects.toMatchObject({
    status: 504,
  });
});
